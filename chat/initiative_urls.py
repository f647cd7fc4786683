"""Addresses of the companion speaking first, below those of a conversation."""

from django.urls import path

from chat import initiative

urlpatterns = [
    path("initiative/", initiative.offer, name="initiative"),
    path("initiative/<uuid:initiative_id>/", initiative.answer, name="answer_initiative"),
]
