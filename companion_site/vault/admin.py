"""Spaces and what opens them, in the admin: to see, not to open."""

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from companion_site.administration.history import HistoryAdmin, IdFilter
from companion_site.vault.admin_rows import SpaceRowAdmin
from companion_site.vault.models import InboxKey, KeySlot, SealedBox, Space


class OwnerFilter(IdFilter):
    title = _("owner id")
    parameter_name = "owner"


@admin.register(Space)
class SpaceAdmin(HistoryAdmin):
    columns = ("owner", "sealed", "version", "awaiting_key_since", "created_at", "closed_at")
    id_columns = ("owner", "company_id", "school_id")
    list_filter = ("kind", OwnerFilter)

    def __init__(self, model: type[models.Model], admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        self.fields = self.readonly_fields = [*self.fields, "rows"]

    @admin.display(description=_("Rows"))
    def rows(self, space: Space) -> SafeString:
        """Link to the space's rows of every kind."""
        links = (
            (reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist"), space.pk, name(model))
            for model in apps.get_models()
            if getattr(model, "belongs_to_space", False)
        )
        link = '<a class="text-primary-600 dark:text-primary-500" href="{}?space={}">{}</a>'
        return format_html_join(" · ", link, links)


@admin.register(KeySlot)
class KeySlotAdmin(SpaceRowAdmin):
    columns = ("space", "kind", "created_at", "expires_at")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


@admin.register(InboxKey)
class InboxKeyAdmin(SpaceRowAdmin):
    columns = ("space", "created_at")


@admin.register(SealedBox)
class SealedBoxAdmin(SpaceRowAdmin):
    """What was sent into spaces: by whom and when, never what."""

    columns = ("space", "sender", "sent_at", "opened_at", "retracted_at")
    id_columns = (*SpaceRowAdmin.id_columns, "sender", "statement_id")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


def name(model: type[models.Model]) -> str:
    return str(model._meta.verbose_name_plural)
