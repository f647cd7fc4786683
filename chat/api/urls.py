"""Addresses of conversations and messages, below those of the REST API."""

from django.urls import path

from chat.api import views

MESSAGES = "conversations/<uuid:conversation_id>/messages"
urlpatterns = [
    path("conversations", views.Conversations.as_view(), name="conversations"),
    path("conversations/<uuid:conversation_id>", views.OneConversation.as_view(), name="conversation"),
    path(MESSAGES, views.Messages.as_view(), name="messages"),
    path("memories/copy", views.MemoryCopy.as_view(), name="memory_copy"),
    path(f"{MESSAGES}/<uuid:message_id>", views.OneMessage.as_view(), name="message"),
    path(f"{MESSAGES}/<uuid:message_id>/attachments", views.Attachments.as_view(), name="attachments"),
    path("attachments/<uuid:attachment_id>", views.OneAttachment.as_view(), name="attachment"),
    path(f"{MESSAGES}/<uuid:message_id>/stop", views.StopReply.as_view(), name="stop"),
    path(f"{MESSAGES}/<uuid:message_id>/retry", views.RetryReply.as_view(), name="retry"),
]
