"""Spaces, what opens them and their rows, in the admin: the shape that the metadata role sees, never content."""

from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.administration.history import HistoryAdmin, IdFilter
from companion_site.vault.models import InboxKey, KeySlot, SealedBox, Space
from companion_site.vault.protection import is_metadata


class SpaceFilter(IdFilter):
    title = gettext_lazy("space id")
    parameter_name = "space"


class SpaceRowAdmin(HistoryAdmin):
    """Rows of a space, read across spaces through the role that may read metadata only.

    Its fields are derived from the model: a column that the role cannot read is never asked for and shows as sealed, what has
    choices is filtered by them, and what names another row is searched.
    """

    reads_by = "metadata"
    list_filter: ClassVar[tuple[Any, ...]] = (SpaceFilter,)
    id_columns: ClassVar[tuple[str, ...]] = ("space",)

    def __init__(self, model: type[models.Model], admin_site: admin.AdminSite) -> None:
        columns = [column for column in model._meta.concrete_fields if not column.primary_key]
        chosen = [column.name for column in columns if column.choices]
        ids = [
            column.name for column in columns if column.is_relation or isinstance(column, models.UUIDField)
        ]
        self.list_filter = tuple(dict.fromkeys([*chosen, *self.list_filter]))  # type: ignore[misc]  # of this page
        self.id_columns = tuple(ids)  # type: ignore[misc]  # of this page
        super().__init__(model, admin_site)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet:
        unreadable = [field.name for field in self.opts.concrete_fields if not is_metadata(field)]
        return super().get_queryset(request).defer(*unreadable)

    def present_binary(self, row: models.Model, field: models.Field) -> SafeString:
        return format_html(
            '<span class="inline-flex items-center gap-1" title="{}">'
            '<span class="material-symbols-outlined" aria-hidden="true">lock</span>{}</span>',
            _("Not readable from here."),
            _("sealed"),
        )


class OwnerFilter(IdFilter):
    title = gettext_lazy("owner id")
    parameter_name = "owner"


@admin.register(Space)
class SpaceAdmin(HistoryAdmin):
    columns = ("owner", "sealed", "version", "awaiting_key_since", "created_at", "closed_at")
    id_columns = ("owner", "company_id", "school_id")
    list_filter = ("kind", OwnerFilter)
    more_fields = ("rows",)

    @admin.display(description=gettext_lazy("Rows"))
    def rows(self, space: Space) -> SafeString:
        """Link to the space's rows of every kind."""
        links = (
            (
                reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist"),
                space.pk,
                model._meta.verbose_name_plural,
            )
            for model in apps.get_models()
            if getattr(model, "belongs_to_space", False)
        )
        link = '<a class="text-primary-600 dark:text-primary-500" href="{}?space={}">{}</a>'
        return format_html_join(" · ", link, links)


admin.site.register(KeySlot, SpaceRowAdmin, columns=("space", "kind", "created_at", "expires_at"))
admin.site.register(InboxKey, SpaceRowAdmin, columns=("space", "created_at"))
admin.site.register(
    SealedBox, SpaceRowAdmin, columns=("space", "sender", "sent_at", "opened_at", "retracted_at")
)
