"""People, schools, classes and companies in the admin, changed through the services that keep keys and record.

Staff see nobody's password and nobody's recovery code: they hand out invitations.
"""

from datetime import datetime
from operator import attrgetter
from typing import ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.db import models, transaction
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action

from companion_site.accounts import attempts, invitations, services
from companion_site.accounts.admin_base import KeptAdmin, row_page
from companion_site.accounts.admin_invitations import (
    InvitationAdmin,
    back_to,
    invitation_state,
    invite_page,
    show_slips,
    with_invitations,
)
from companion_site.accounts.admin_systems import SystemAdmin
from companion_site.accounts.models import (
    ApiToken,
    BusinessSystem,
    ClassMembership,
    Company,
    Invitation,
    LearningSystem,
    LimitCount,
    Person,
    School,
    SchoolClass,
    Session,
)
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.sessions import end_log_in
from companion_site.administration.history import HistoryAdmin, link_to
from companion_site.vault.admin import SpaceRowAdmin

#: What a person's log-ins rest on, of what staff may change here.
AUTHORISING = {"is_active", "role", "school", "company"}


class PersonForm(ModelForm):
    """What staff may say about a person; never a password: people choose theirs themselves."""

    class Meta:
        model = Person
        fields = (
            "username",
            "display_name",
            "role",
            "language",
            "school",
            "company",
            "is_active",
            "is_superuser",
        )

    def clean(self):
        cleaned = super().clean() or {}
        if cleaned.get("role") == Person.Role.BUSINESS and not cleaned.get("company"):
            self.add_error("company", gettext_lazy("A business user belongs to a company."))
        if cleaned.get("is_superuser") and cleaned.get("role") != Person.Role.STAFF:
            self.add_error("is_superuser", gettext_lazy("Only staff can have every permission."))
        if cleaned.get("role") == Person.Role.STAFF and not cleaned.get("is_superuser"):
            self.add_error("is_superuser", gettext_lazy("Staff can do nothing without every permission."))
        if cleaned.get("role") == Person.Role.TEACHER and not cleaned.get("school"):
            self.add_error("school", gettext_lazy("A teacher belongs to a school."))
        if cleaned.get("role") == Person.Role.AUDITOR and not (
            cleaned.get("school") or cleaned.get("company")
        ):
            self.add_error("school", gettext_lazy("An auditor belongs to a school or a company."))
        return cleaned


@admin.register(Person)
class PersonAdmin(KeptAdmin):
    form = PersonForm
    list_display = (
        "username",
        "display_name",
        "role",
        "language",
        "school",
        "company",
        "shown_state",
        "is_active",
    )
    list_filter = ("role", "is_active", "school", "company")
    list_filter_submit = True
    list_select_related = ("school", "company")
    search_fields = ("username", "display_name")
    autocomplete_fields = ("school", "company")
    readonly_fields = ("shown_space", "shown_state", "last_login")
    add_fieldsets = (
        (None, {"fields": ("username", "display_name", "role", "language")}),
        (gettext_lazy("Belongs to"), {"fields": ("school", "company")}),
        (gettext_lazy("Access"), {"fields": ("is_active", "is_superuser")}),
    )
    fieldsets = (
        *add_fieldsets[:-1],
        (
            gettext_lazy("Access"),
            {"fields": ("is_active", "is_superuser", "shown_state", "last_login", "shown_space")},
        ),
    )
    actions: ClassVar[tuple[str, ...] | None] = ("invite_selected",)
    actions_detail = ("invite", "withdraw", "reset_password", "open_log_in")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Person]:
        return with_invitations(super().get_queryset(request)).select_related("school", "company")

    def save_model(self, request: PersonRequest, obj: Person, form: ModelForm, change: bool) -> None:  # type: ignore[override]
        if change:
            with transaction.atomic():
                super().save_model(request, obj, form, change)
                if AUTHORISING.intersection(form.changed_data):
                    services.withdraw(obj, now=timezone.now(), actor=request.user)
            return
        fields = {name: form.cleaned_data[name] for name in PersonForm.Meta.fields if name != "username"}
        now = timezone.now()
        person = services.create_invited_person(
            obj.username, now=now, actor=request.user, id=obj.pk, **fields
        )
        obj._state.adding = False
        request.invited = invitations.invite([person], now=now, actor=request.user)  # type: ignore[attr-defined]

    def response_add(
        self, request: HttpRequest, obj: Person, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the invitation in the answer itself: no session, cookie or table ever holds its code."""
        return show_slips(request, request.invited, back=back_to("person"))  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("log-in"))
    def shown_state(self, person: Person) -> str:
        return invitation_state(person)

    @admin.display(description=gettext_lazy("personal space"))
    def shown_space(self, person: Person) -> str | SafeString:
        return link_to("vault_space", person.space_id)

    @action(description=gettext_lazy("Invite the selected people"), permissions=["change"])
    def invite_selected(self, request: PersonRequest, people: models.QuerySet[Person]) -> HttpResponse:
        return invite_page(self, request, people)

    @row_page(gettext_lazy("Invite"), "invite", "outgoing_mail")
    def invite(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Invite somebody who has no password, or anew."""
        person = self.changeable(request, object_id)
        return invite_page(self, request, [person], of=person)

    @row_page(gettext_lazy("Withdraw the invitation"), "withdraw", "block")
    def withdraw(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Ask, then take back the invitation that somebody has."""
        person = self.changeable(request, object_id)
        if request.method != "POST":
            return self.show(request, person, "person/withdraw", _("Withdraw the invitation"), person=person)
        if invitations.withdraw(person, now=timezone.now(), actor=request.user):
            messages.success(request, _("The invitation works no more."))
        else:
            messages.info(request, _("There is no invitation to withdraw."))
        return redirect(back_to("person", person.pk))

    @row_page(gettext_lazy("Reset password"), "reset-password", "lock_reset")
    def reset_password(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Give back the log-in by an invitation, not the memory, and say so before."""
        person = self.changeable(request, object_id)
        if request.method == "POST":
            invited = invitations.reset_password(person, now=timezone.now(), actor=request.user)
            return show_slips(request, [invited], back=back_to("person", person.pk))
        return self.show(request, person, "person/reset_password", _("Reset password"), person=person)

    @row_page(gettext_lazy("Forget refused log-ins"), "open-log-in", "lock_open")
    def open_log_in(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Show what a person's refused attempts have used up, and let them try again at once."""
        person = self.changeable(request, object_id)
        if request.method == "POST":
            attempts.open_again(person, now=timezone.now(), actor=request.user)
            messages.success(request, _("%(person)s can try again at once.") % {"person": person.username})
            return redirect("admin:accounts_person_change", person.pk)
        values = {"person": person, "counts": attempts.counts_of(person, now=timezone.now())}
        return self.show(request, person, "person/open_log_in", _("Forget refused log-ins"), **values)


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

    def formfield_for_foreignkey(self, db_field, request, **kwargs):
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "person":
            field.queryset = Person.objects.select_related("school", "company")
            field.label_from_instance = attrgetter("told")
        return field


@admin.register(SchoolClass)
class SchoolClassAdmin(KeptAdmin):
    list_display = ("name", "school")
    list_filter = ("school",)
    list_select_related = ("school",)
    search_fields = ("name",)
    autocomplete_fields = ("school",)
    inlines = (ClassMembershipInline,)
    actions_detail = ("invite_members",)

    @row_page(gettext_lazy("Invite the members"), "invite", "outgoing_mail")
    def invite_members(self, request: PersonRequest, object_id: UUID) -> HttpResponse:
        """Make slips for all of a class who have no password yet."""
        school_class = self.changeable(request, object_id)
        people = school_class.people.select_related("school", "company").order_by("display_name", "username")
        return invite_page(self, request, people, of=school_class)


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

    @row_page(gettext_lazy("Live state"), "live-state", "monitoring")
    def live_state(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Go on to the company's figures and deadlines."""
        return redirect("admin:memory_kpi_company", object_id)

    @admin.display(description=gettext_lazy("space"))
    def shown_space(self, company: Company) -> str | SafeString:
        return link_to("vault_space", company.space_id)


@admin.register(Session)
class SessionAdmin(ModelAdmin):
    """Where people are logged in. Staff may end a log-in; what it holds they do not see."""

    list_display = ("person", "browser", "started_at", "shown_last_used")
    list_select_related = ("person",)
    search_fields = ("person__username",)
    fields = readonly_fields = ("person", "browser", "started_at", "shown_last_used")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet:
        return super().get_queryset(request).filter(person__isnull=False).defer("session_data")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def delete_model(self, request: PersonRequest, obj: Session) -> None:
        if obj.person is not None:
            end_log_in(obj.person, obj.pk, now=timezone.now(), actor=request.user)

    def delete_queryset(self, request: PersonRequest, queryset: models.QuerySet[Session]) -> None:
        for session in queryset:
            self.delete_model(request, session)

    @admin.display(description=gettext_lazy("last used"), ordering="expire_date")
    def shown_last_used(self, session: Session) -> datetime:
        return session.last_used_at


admin.site.register(Invitation, InvitationAdmin)
admin.site.register((LearningSystem, BusinessSystem), SystemAdmin)


@admin.register(LimitCount)
class LimitCountAdmin(HistoryAdmin):
    """A person's own are forgotten at the person's page."""

    id_columns: ClassVar[tuple[str, ...]] = ("who",)
    list_display = ("key", "limit", "used", "until")
    fields = ("key", "who", "limit", "used", "step", "until")

    @admin.display(description=gettext_lazy("used"))
    def used(self, row: LimitCount) -> str:
        return row.shown


admin.site.register(
    ApiToken,
    SpaceRowAdmin,
    columns=("space", "name", "created_at", "expires_at", "last_used_at", "revoked_at"),
)
