"""The ledger in the admin: its shape and its history, never its words."""

from django.contrib import admin

from companion_site.vault.admin import SpaceRowAdmin
from ledger.models import LedgerEntry, ThreatAlert

admin.site.register(
    LedgerEntry,
    SpaceRowAdmin,
    columns=("space", "content", "revision", "trust", "importance", "recorded_at", "superseded_at"),
    list_filter=("is_active", *SpaceRowAdmin.list_filter),
)
admin.site.register(
    ThreatAlert, SpaceRowAdmin, columns=("space", "source_id", "said_at", "seen_at", "seen_by")
)
