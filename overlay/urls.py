"""Addresses of the student's map. A concept is named by the student's own row, which tells nobody which one it is."""

from django.urls import path

from overlay import views

app_name = "overlay"
urlpatterns = [
    path("", views.show_map, name="map"),
    path("<uuid:known_id>/", views.show_concept, name="concept"),
]
