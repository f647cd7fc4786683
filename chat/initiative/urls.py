"""Addresses of the companion speaking first, below those of a conversation."""

from django.urls import path

from chat.initiative import service

urlpatterns = [
    path("initiative/", service.offer, name="initiative"),
    path("initiative/<uuid:initiative_id>/", service.answer, name="answer_initiative"),
]
