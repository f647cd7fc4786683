"""The address of the transcript API."""

from django.urls import path

from memory.tutoring import views

app_name = "tutoring"
urlpatterns = [path("", views.transcripts, name="transcripts")]
