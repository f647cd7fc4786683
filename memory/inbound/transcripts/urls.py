"""The address of the transcript API."""

from django.urls import path

from memory.inbound.transcripts import views

app_name = "tutoring"
urlpatterns = [path("", views.transcripts, name="transcripts")]
