"""Pages of the admin that show and never change: rows written by the site, read by staff."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.contrib.filters.admin import TextFilter

PREFIX = "shown_"
EMPTY = "-"


class PagesAdmin(ModelAdmin):
    """An admin with pages beside those of its rows."""

    def show(self, request: HttpRequest, name: str, title: str | Promise, **values: Any) -> HttpResponse:
        """Show a page of that name, below "admin/"."""
        context = {**self.admin_site.each_context(request), "title": title, "opts": self.opts, **values}
        return TemplateResponse(request, f"admin/{name}.html", context)


class HistoryAdmin(PagesAdmin):
    """Rows to look at: no adding, no changing, no deleting.

    Keys are shown as links by id, binary columns as their length or as sealed, so that a page asks the database for
    its own rows only.
    """

    #: Database alias that the rows are read by; None for the model's own.
    reads_by: str | None = None
    #: Names of columns that the list shows; any of the model's fields.
    columns: ClassVar[tuple[str, ...]] = ()
    #: Columns that are searched by exact id, beside the row's own.
    id_columns: ClassVar[tuple[str, ...]] = ()
    #: Fields that no page shows at all; those that a row's page shows, where not all others; and what it shows behind them.
    hidden: ClassVar[tuple[str, ...]] = ()
    shown_fields: ClassVar[tuple[str, ...]] = ()
    more_fields: ClassVar[tuple[str, ...]] = ()
    actions: ClassVar[tuple[Any, ...] | None] = None
    list_fullwidth = True
    list_per_page = 50
    show_full_result_count = False
    list_filter_submit = True

    def __init__(self, model: type[models.Model], admin_site: Any) -> None:
        names = {field.name: self._shown_name(field) for field in model._meta.concrete_fields}
        for field in model._meta.concrete_fields:
            if names[field.name] != field.name:
                setattr(self, names[field.name], self._presenter(field))
        if self.columns:
            self.list_display = ["__str__", *(names.get(column, column) for column in self.columns)]
        shown = [name for field, name in names.items() if field not in self.hidden]
        self.fields = self.readonly_fields = [*(self.shown_fields or shown), *self.more_fields]
        self.search_fields = ["pk"]
        self.search_help_text = _("Search by id")
        super().__init__(model, admin_site)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> models.QuerySet:
        rows = super().get_queryset(request)
        return rows.using(self.reads_by) if self.reads_by else rows

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet, search_term: str
    ) -> tuple[models.QuerySet, bool]:
        """Find rows by an id written out in full; other words find nothing."""
        term = search_term.strip()
        if not term:
            return queryset, False
        matches = models.Q()
        for name in ("pk", *self.id_columns):
            try:
                matches |= models.Q(**{name: self._id_value(name, term)})
            except (ValueError, TypeError):
                continue
        return (queryset.filter(matches) if matches else queryset.none()), False

    def present_binary(self, row: models.Model, field: models.Field) -> str | SafeString:
        """Return what stands for a binary column's value; the value's own hex where it is a hash."""
        value = getattr(row, field.attname)
        return EMPTY if value is None else breakable(bytes(value).hex())

    def _id_value(self, name: str, term: str) -> UUID | int | str:
        column = self.model._meta.pk if name == "pk" else self.model._meta.get_field(name)
        target = column.target_field if column.is_relation else column
        if isinstance(target, models.UUIDField):
            return UUID(term)
        return int(term) if isinstance(target, models.IntegerField) else term

    def _shown_name(self, field: models.Field) -> str:
        special = field.is_relation or isinstance(field, (models.BinaryField, models.FloatField))
        return PREFIX + field.name if special else field.name

    def _presenter(self, field: models.Field) -> Callable[[models.Model], str | SafeString]:
        present = link_by_id if field.is_relation else self.present_binary
        if isinstance(field, models.FloatField):
            present = present_number
        presenter = partial(present, field=field)
        presenter.short_description = field.verbose_name  # type: ignore[attr-defined]
        presenter.__name__ = PREFIX + field.name  # type: ignore[attr-defined]
        if not isinstance(field, models.BinaryField):
            presenter.admin_order_field = field.attname  # type: ignore[attr-defined]
        return presenter


def breakable(digits: str) -> SafeString:
    """Return hexadecimal digits that a narrow screen may break after every eight; copied, they are whole."""
    groups = ((digits[start : start + 8],) for start in range(0, len(digits), 8))
    return format_html_join(mark_safe("<wbr>"), "{}", groups)


def present_number(row: models.Model, field: models.Field) -> str:
    """Return a number as far as it says something to a reader."""
    value = getattr(row, field.attname)
    return EMPTY if value is None else f"{value:.3g}"


def link_by_id(row: models.Model, field: models.Field) -> str | SafeString:
    """Return a link to the row that a key points to, named by its id; the row itself is not fetched."""
    meta = field.related_model._meta  # type: ignore[union-attr]
    return link_to(f"{meta.app_label}_{meta.model_name}", getattr(row, field.attname))


def link_to(page: str, key: Any) -> str | SafeString:
    """Return a link to a row's page, as "app_model"; the bare id where that model has none."""
    if key is None:
        return EMPTY
    try:
        url = reverse(f"admin:{page}_change", args=[key])
    except NoReverseMatch:
        return str(key)
    return format_html('<a class="text-primary-600 dark:text-primary-500" href="{}">{}</a>', url, key)


class IdFilter(TextFilter):
    """Keep the rows of one id, typed or given by a link; subclasses name the column."""

    def queryset(self, request: HttpRequest, queryset: models.QuerySet) -> models.QuerySet:
        if not self.value():
            return queryset
        try:
            return queryset.filter(**{self.parameter_name: UUID(self.value())})
        except ValueError:
            return queryset.none()
