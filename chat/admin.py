"""Conversations in the admin: that they took place, not what was said."""

from django.contrib import admin

from chat.models import Attachment, Conversation, Import, ImportPart, Message
from companion_site.vault.admin import SpaceRowAdmin


@admin.register(Conversation)
class ConversationAdmin(SpaceRowAdmin):
    columns = ("space", "author", "title", "memory_on", "created_at", "updated_at")
    id_columns = (*SpaceRowAdmin.id_columns, "author")


@admin.register(Message)
class MessageAdmin(SpaceRowAdmin):
    columns = ("space", "conversation", "text", "state", "said_at", "formed_at", "provider")
    id_columns = (*SpaceRowAdmin.id_columns, "conversation", "client_id")
    list_filter = ("role", "state", *SpaceRowAdmin.list_filter)


@admin.register(Import)
class ImportAdmin(SpaceRowAdmin):
    columns = ("space", "author", "state", "problem", "done", "total", "created_at", "kept_at", "removed_at")
    id_columns = (*SpaceRowAdmin.id_columns, "author")
    list_filter = ("state", *SpaceRowAdmin.list_filter)


@admin.register(ImportPart)
class ImportPartAdmin(SpaceRowAdmin):
    columns = ("space", "source", "kind", "number", "size", "content")
    id_columns = (*SpaceRowAdmin.id_columns, "source")


@admin.register(Attachment)
class AttachmentAdmin(SpaceRowAdmin):
    columns = ("space", "message", "type", "size", "added_at")
    id_columns = (*SpaceRowAdmin.id_columns, "conversation", "message")
    list_filter = ("type", *SpaceRowAdmin.list_filter)
