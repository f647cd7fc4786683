"""People, schools, classes and companies in the admin, changed through the services that keep keys and record."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from unfold.admin import TabularInline
from unfold.decorators import action

from companion_site.accounts import services
from companion_site.accounts.admin_forms import NewPersonForm, PersonForm, SetPasswordForm
from companion_site.accounts.admin_systems import BusinessSystemAdmin, LearningSystemAdmin
from companion_site.accounts.admin_tokens import ApiTokenAdmin as ApiTokenAdmin
from companion_site.accounts.kept_admin import KeptAdmin
from companion_site.accounts.models import (
    BusinessSystem,
    ClassMembership,
    Company,
    LearningSystem,
    Person,
    School,
    SchoolClass,
)
from companion_site.accounts.requests import PersonRequest
from companion_site.administration.history import link_to

hide_passwords = method_decorator(sensitive_post_parameters("new_password", "repeat"))


@admin.register(Person)
class PersonAdmin(KeptAdmin):
    form = PersonForm
    list_display = ("username", "display_name", "role", "language", "school", "company", "is_active")
    list_filter = ("role", "is_active", "school", "company")
    list_filter_submit = True
    list_select_related = ("school", "company")
    search_fields = ("username", "display_name")
    autocomplete_fields = ("school", "company")
    readonly_fields = ("shown_space", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "display_name", "role", "language")}),
        (gettext_lazy("Belongs to"), {"fields": ("school", "company")}),
        (gettext_lazy("Access"), {"fields": ("is_active", "is_superuser", "last_login", "shown_space")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "display_name", "role", "language")}),
        (gettext_lazy("Belongs to"), {"fields": ("school", "company")}),
        (gettext_lazy("Access"), {"fields": ("is_active", "is_superuser", "new_password", "repeat")}),
    )
    actions_detail = ("reset_password",)

    @hide_passwords
    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(
        self, request: HttpRequest, obj: models.Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        if obj is None:
            kwargs["form"] = NewPersonForm
        return super().get_form(request, obj, change, **kwargs)

    def save_model(self, request: PersonRequest, obj: Person, form: ModelForm, change: bool) -> None:  # type: ignore[override]
        if change:
            super().save_model(request, obj, form, change)
            return
        fields = {name: form.cleaned_data[name] for name in PersonForm.Meta.fields if name != "username"}
        joined = services.create_person(
            obj.username,
            password=form.cleaned_data["new_password"],
            now=timezone.now(),
            actor=request.user,
            id=obj.pk,
            **fields,
        )
        obj.space_id = joined.person.space_id
        request.recovery_code = joined.recovery_code  # type: ignore[attr-defined]

    def response_add(
        self, request: HttpRequest, obj: Person, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the recovery code in the answer itself: no session, cookie or table ever holds it."""
        context = self._page(request, obj, _("%(person)s can log in") % {"person": obj.username})
        context["code"] = request.recovery_code  # type: ignore[attr-defined]
        return TemplateResponse(request, "admin/accounts/person/recovery_code.html", context)

    @admin.display(description=gettext_lazy("personal space"))
    def shown_space(self, person: Person) -> str | SafeString:
        return link_to("vault_space", person.space_id)

    @action(
        description=gettext_lazy("Reset password"),
        url_path="reset-password",
        permissions=["change"],
        icon="lock_reset",
    )
    @hide_passwords
    def reset_password(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Give back the log-in, not the memory, and say so before and after."""
        person = get_object_or_404(Person, pk=object_id)
        if not self.has_change_permission(request, person):
            raise PermissionDenied
        form = SetPasswordForm(request.POST or None, person=person)
        if request.method == "POST" and form.is_valid():
            services.reset_password(
                person, password=form.cleaned_data["new_password"], now=timezone.now(), actor=request.user
            )
            messages.warning(
                request,
                _(
                    "%(person)s can log in with the new password. Their memory stays locked until they enter "
                    "their recovery code or begin anew."
                )
                % {"person": person.username},
            )
            return redirect("admin:accounts_person_change", person.pk)
        context = {**self._page(request, person, _("Reset password")), "form": form}
        return TemplateResponse(request, "admin/accounts/person/reset_password.html", context)

    def _page(self, request: HttpRequest, person: Person, title: str) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "original": person,
            "person": person,
        }


@admin.register(School)
class SchoolAdmin(KeptAdmin):
    list_display = ("name",)
    search_fields = ("name",)


class ClassMembershipInline(TabularInline):
    model = ClassMembership
    autocomplete_fields = ("person",)
    extra = 0
    verbose_name = gettext_lazy("member")
    verbose_name_plural = gettext_lazy("members")


@admin.register(SchoolClass)
class SchoolClassAdmin(KeptAdmin):
    list_display = ("name", "school")
    list_filter = ("school",)
    list_select_related = ("school",)
    search_fields = ("name",)
    autocomplete_fields = ("school",)
    inlines = (ClassMembershipInline,)


@admin.register(Company)
class CompanyAdmin(KeptAdmin):
    list_display = ("name", "shown_space")
    search_fields = ("name",)
    fields = ("name", "shown_space")
    readonly_fields = ("shown_space",)
    actions_detail = ("live_state",)

    def save_model(self, request: PersonRequest, obj: Company, form: ModelForm, change: bool) -> None:  # type: ignore[override]
        """Make a new company together with its open space."""
        if change:
            super().save_model(request, obj, form, change)
            return
        made = services.create_company(obj.name, now=timezone.now(), actor=request.user)
        obj.pk, obj.space_id = made.pk, made.space_id
        obj._state.adding = False

    @action(
        description=gettext_lazy("Live state"),
        url_path="live-state",
        permissions=["change"],
        icon="monitoring",
    )
    def live_state(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Go on to the company's figures and deadlines."""
        return redirect("admin:memory_kpi_company", object_id)

    @admin.display(description=gettext_lazy("space"))
    def shown_space(self, company: Company) -> str | SafeString:
        return link_to("vault_space", company.space_id)


admin.site.register(LearningSystem, LearningSystemAdmin)
admin.site.register(BusinessSystem, BusinessSystemAdmin)
