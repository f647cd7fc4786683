"""Conversations in the admin: that they took place, not what was said."""

from django.contrib import admin

from chat.models import Conversation, Message
from companion_site.vault.admin_rows import SpaceRowAdmin


@admin.register(Conversation)
class ConversationAdmin(SpaceRowAdmin):
    columns = ("space", "author", "title", "memory_on", "created_at", "updated_at")
    id_columns = (*SpaceRowAdmin.id_columns, "author")


@admin.register(Message)
class MessageAdmin(SpaceRowAdmin):
    columns = ("space", "conversation", "text", "state", "said_at", "formed_at", "provider")
    id_columns = (*SpaceRowAdmin.id_columns, "conversation", "client_id")
    list_filter = ("role", "state", *SpaceRowAdmin.list_filter)
