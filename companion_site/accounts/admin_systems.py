"""Programs that work with the site, in the admin. A secret is shown when it is made or renewed, once, and kept nowhere."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.accounts import systems
from companion_site.accounts.admin_base import KeptAdmin, row_page
from companion_site.accounts.models import System
from companion_site.accounts.requests import PersonRequest


class SystemForm(forms.ModelForm):
    """A system's name, which no other of its school or company has."""

    def validate_unique(self):
        """Compare with the owner's others also where the owner can no longer be chosen, and so is no part of the form."""
        super().validate_unique()
        if self._meta.model.OWNER not in self.fields:
            try:
                self.instance.validate_constraints()
            except forms.ValidationError as taken:
                self.add_error(None, taken)


class SystemAdmin(KeptAdmin):
    """Programs of one kind, of the school or the company that the kind names as its owner."""

    form = SystemForm
    search_fields = ("name",)
    readonly_fields = ("id", "created_at", "revoked_at")
    actions_detail = ("renew_secret", "revoke")

    def __init__(self, model: type[System], admin_site: AdminSite) -> None:
        self.owner = model.OWNER
        self.list_filter = self.list_select_related = self.autocomplete_fields = (self.owner,)
        self.list_display = ("name", self.owner, "created_at", "revoked_at")
        self.fields = (self.owner, "name", "id", "created_at", "revoked_at")
        super().__init__(model, admin_site)

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:
        return self.readonly_fields if obj is None else (self.owner, *self.readonly_fields)

    def save_model(  # type: ignore[override]
        self, request: PersonRequest, obj: System, form: ModelForm, change: bool
    ) -> None:
        if change:
            super().save_model(request, obj, form, change)
            return
        made, request.secret = systems.create_system(  # type: ignore[attr-defined]
            type(obj),
            name=obj.name,
            now=timezone.now(),
            actor=request.user,
            **{self.owner: getattr(obj, self.owner)},
        )
        obj.pk, obj._state.adding = made.pk, False

    def response_add(
        self, request: HttpRequest, obj: System, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the secret in the answer itself: no session, cookie or table ever holds it."""
        return self._page(request, obj, "secret", secret=request.secret)  # type: ignore[attr-defined]

    @row_page(gettext_lazy("New secret"), "new-secret", "key")
    def renew_secret(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Ask, then replace the secret and show the new one."""
        system = self.changeable(request, object_id)
        if request.method != "POST":
            return self._page(request, system, "renew_secret")
        secret = systems.renew_secret(system, now=timezone.now(), actor=request.user)
        return self._page(request, system, "secret", secret=secret)

    @row_page(gettext_lazy("Shut out"), "revoke", "block")
    def revoke(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Ask, then shut the system out."""
        system = self.changeable(request, object_id)
        if request.method != "POST":
            return self._page(request, system, "revoke")
        systems.revoke(system, now=timezone.now(), actor=request.user)
        messages.success(request, _("%(system)s can send nothing any more.") % {"system": system.name})
        return redirect(self._change_page, system.pk)

    @property
    def _change_page(self) -> str:
        return f"admin:accounts_{self.opts.model_name}_change"

    def _page(self, request: HttpRequest, system: System, name: str, **values: str) -> HttpResponse:
        about = {"system": system, "change_page": self._change_page, **values}
        return self.show(request, system, f"system/{name}", system.name, **about)
