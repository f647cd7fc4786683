"""The base of the admin's pages about people and what they belong to."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.text import capfirst
from unfold.admin import ModelAdmin
from unfold.decorators import action

from companion_site.accounts.requests import PersonRequest
from companion_site.audit.services import record_event


def row_page(description: Promise, path: str, icon: str) -> Callable:
    """Return the decorator of a page that a row's own page leads to, for who may change the row."""
    return action(description=description, url_path=path, permissions=["change"], icon=icon)


class KeptAdmin(ModelAdmin):
    """Rows that may be added and changed but not deleted: others belong to them. Each change is recorded.

    Of a row that was there only what the page changed is written: its password or its secret may just be changing.
    """

    actions: ClassVar[tuple[str, ...] | None] = None
    compressed_fields = True

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def construct_change_message(self, request, form, formsets, add=False):
        """Name what was changed as the catalogue has it: labels begin with a capital letter, which its words do not."""
        told = super().construct_change_message(request, form, formsets, add)
        models_here = (self.model, *(inline.model for inline in self.inlines))
        with translation.override(None):
            fields = [str(field.verbose_name) for model in models_here for field in model._meta.fields]
        names = {capfirst(name): name for name in fields}
        for change in (change for part in told for change in part.values() if "fields" in change):
            change["fields"] = [names.get(label, label) for label in change["fields"]]
        return told

    def changeable(self, request: HttpRequest, object_id: UUID) -> Any:
        """Return the row of that id, for who may change it; 404 or 403 else."""
        row = get_object_or_404(self.model, pk=object_id)
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        return row

    def show(self, request: HttpRequest, row: Any, name: str, title: str, **values: Any) -> HttpResponse:
        """Show the page of that name about a row; None: about several."""
        about = {"title": title, "opts": self.opts, "original": row, **values}
        context = {**self.admin_site.each_context(request), **about}
        return TemplateResponse(request, f"admin/accounts/{name}.html", context)

    def save_model(self, request: PersonRequest, obj: models.Model, form: ModelForm, change: bool) -> None:
        with transaction.atomic():
            if change:
                columns = {field.name for field in obj._meta.concrete_fields}
                obj.save(update_fields=columns.intersection(form.changed_data))
            else:
                super().save_model(request, obj, form, change)
            verb = "changed" if change else "created"
            fields = {"fields": list(form.changed_data)} if change else {}
            name = f"accounts.{self.opts.model_name}_{verb}"
            record_event(name, actor=request.user, subject=obj, data=fields, now=timezone.now())
