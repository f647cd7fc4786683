"""Addresses of what coaching notes, below those of a conversation."""

from django.urls import path

from chat.coaching import views

urlpatterns = [
    path(
        "messages/<uuid:message_id>/noted/<uuid:noted_id>/undo/",
        views.undo,
        name="undo_noted",
    ),
]
