"""Addresses of the voice, below those of the chat."""

from django.urls import path

from chat.voice import views

urlpatterns = [
    path("", views.available, name="voice"),
    path("transcripts/", views.transcripts, name="voice_transcripts"),
    path("speech/<uuid:reply_id>/<int:number>/", views.speech, name="voice_speech"),
]
