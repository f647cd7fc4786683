"""Rows of spaces in the admin: their shape as the metadata role sees it, their content never."""

from typing import Any, ClassVar

from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.administration.history import HistoryAdmin, IdFilter
from companion_site.vault.protection import is_metadata


class SpaceFilter(IdFilter):
    title = gettext_lazy("space id")
    parameter_name = "space"


class SpaceRowAdmin(HistoryAdmin):
    """Rows of a space, read across spaces through the role that may read metadata only.

    Its fields are derived from the model: a column that the role cannot read is never asked for and shows as sealed.
    """

    reads_by = "metadata"
    list_filter: ClassVar[tuple[Any, ...]] = (SpaceFilter,)
    id_columns: ClassVar[tuple[str, ...]] = ("space",)

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
