"""Addresses of a student's map, below those of the REST API. A concept is named by the student's own row."""

from django.urls import path

from overlay.api import views

urlpatterns = [
    path("map", views.Map.as_view(), name="map"),
    path("map/concepts", views.Concepts.as_view(), name="concepts"),
    path("map/concepts/<uuid:known_id>", views.OneConcept.as_view(), name="concept"),
]
