"""The address of the measures API."""

from django.urls import path

from memory.inbound.measures import views

app_name = "measuring"
urlpatterns = [path("", views.measures, name="measures")]
