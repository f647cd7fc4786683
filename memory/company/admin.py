"""A company's memory in the admin: its shape, never its words. Its auditors read the words on pages of their own."""

from django.contrib import admin

from companion_site.vault.admin import SpaceRowAdmin
from memory.models import (
    CompanyCompression,
    CompanyEvent,
    CompanyFact,
    CompanyFactVector,
    CompanyRefusal,
    Extraction,
    Suggestion,
)


@admin.register(CompanyFact)
class CompanyFactAdmin(SpaceRowAdmin):
    columns = (
        "space",
        "category",
        "origin",
        "confidence",
        "created_at",
        "superseded_at",
        "superseded_reason",
    )
    id_columns = (
        *SpaceRowAdmin.id_columns,
        "superseded_by",
        "restores",
        "source_message_id",
        "source_conversation_id",
        "said_by",
        "extraction",
    )
    hidden = ("content", "fingerprint", "metadata", "search")
    list_filter = ("category", "origin", "superseded_reason", *SpaceRowAdmin.list_filter)


@admin.register(CompanyFactVector)
class CompanyFactVectorAdmin(SpaceRowAdmin):
    columns = ("space", "fact", "model", "dimension")
    id_columns = (*SpaceRowAdmin.id_columns, "fact")
    hidden = ("embedding",)


@admin.register(CompanyEvent)
class CompanyEventAdmin(SpaceRowAdmin):
    columns = ("space", "fact", "at", "actor", "reason")
    id_columns = (*SpaceRowAdmin.id_columns, "fact", "other", "actor", "source_message_id")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


@admin.register(Extraction)
class ExtractionAdmin(SpaceRowAdmin):
    columns = ("space", "state", "conversation_id", "after_position", "until_position", "finished_at")
    id_columns = (*SpaceRowAdmin.id_columns, "conversation_id")
    list_filter = ("trigger", "state", *SpaceRowAdmin.list_filter)


@admin.register(CompanyRefusal)
class CompanyRefusalAdmin(SpaceRowAdmin):
    columns = ("space", "extraction", "at")
    id_columns = (*SpaceRowAdmin.id_columns, "extraction", "source_message_id")
    hidden = ("content",)
    list_filter = ("reason", *SpaceRowAdmin.list_filter)


@admin.register(CompanyCompression)
class CompanyCompressionAdmin(SpaceRowAdmin):
    columns = ("space", "before", "after", "summaries", "provider")
    list_filter = ("trigger", *SpaceRowAdmin.list_filter)


@admin.register(Suggestion)
class SuggestionAdmin(SpaceRowAdmin):
    columns = ("space", "person", "fact", "state", "offered_at", "snoozed_until")
    id_columns = (*SpaceRowAdmin.id_columns, "fact", "deadline", "person")
    list_filter = ("kind", "state", *SpaceRowAdmin.list_filter)
