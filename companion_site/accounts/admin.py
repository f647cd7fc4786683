"""People, schools, classes, companies and their programs in the admin, changed through the services that keep keys and record.

Staff see nobody's password and nobody's recovery code: they hand out invitations. A code, and a program's secret, stands in the answer
that made it and nowhere else: no session, cookie, message or table holds it.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from operator import attrgetter
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin import AdminSite
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action

from companion_site.accounts import attempts, invitations, services, systems
from companion_site.accounts.invitations import Invited
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
    System,
)
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.sessions import end_log_in
from companion_site.administration.history import HistoryAdmin, PagesAdmin, link_to
from companion_site.audit.services import record_event
from companion_site.vault.admin import SpaceRowAdmin

#: Slips on one page; more people are invited class by class.
MOST_SLIPS = 500
#: What a person's log-ins rest on, of what staff may change here.
AUTHORISING = {"is_active", "role", "school", "company"}


def row_page(description: Promise, path: str, icon: str, *, asks: str = "") -> Callable:
    """Return the decorator of a page that a row's own page leads to, for who may change the row, which it is given.

    Args:
        asks: the page that is shown before; what it asks is done when it is sent.
    """

    def decorate(do: Callable) -> Callable:
        @wraps(do)
        def page(self: "KeptAdmin", request: HttpRequest, object_id: UUID) -> HttpResponse:
            row = get_object_or_404(self.model, pk=object_id)
            if asks and request.method != "POST":
                return self.show(request, f"accounts/{asks}", description, original=row)
            return do(self, request, row)

        return action(description=description, url_path=path, permissions=["change"], icon=icon)(page)

    return decorate


class KeptAdmin(PagesAdmin):
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

    def save_model(self, request: PersonRequest, obj: models.Model, form: ModelForm, change: bool) -> None:
        with transaction.atomic():
            if change:
                columns = {field.name for field in obj._meta.concrete_fields}
                obj.save(update_fields=columns.intersection(form.changed_data))
                self._record(request, obj, "changed", fields=list(form.changed_data))
            else:
                obj.pk, obj._state.adding = self.make(request, obj, form).pk, False

    def make(self, request: PersonRequest, obj: Any, form: ModelForm) -> models.Model:
        """Make the row that was filled in, by the service that makes such rows and records it where there is one."""
        obj.save()
        self._record(request, obj, "created")
        return obj

    def _record(self, request: PersonRequest, obj: models.Model, verb: str, **data: Any) -> None:
        name = f"accounts.{self.opts.model_name}_{verb}"
        record_event(name, actor=request.user, subject=obj, data=data, now=timezone.now())


def invite_page(
    admin: KeptAdmin, request: PersonRequest, people: Iterable[Person], *, of: models.Model | None = None
) -> HttpResponse:
    """Ask who is to be invited, and answer with their slips.

    Args:
        people: those with a password already are left out: theirs is reset one by one.
        of: the row that this is about, and that the slips lead back to; None: the list.
    """
    back = back_to(str(admin.opts.model_name), of.pk if of else None)
    everybody = list(people)[:MOST_SLIPS]
    waiting = [person for person in everybody if not person.has_usable_password() and person.is_active]
    if request.method == "POST" and "yes" in request.POST:
        invited = invitations.invite(waiting, now=timezone.now(), actor=request.user)
        return show_slips(request, invited, back=back)
    told = {"waiting": waiting, "joined": len(everybody) - len(waiting), "back": back}
    selected = request.POST.getlist("_selected_action")
    return admin.show(request, "accounts/person/invite", _("Invite"), original=of, selected=selected, **told)


def show_slips(request: HttpRequest, invited: list[Invited], *, back: str) -> HttpResponse:
    """Show each code, this once, as a page to print."""
    context = {
        "all_invited": invited,
        "until": invited[0].invitation.expires_at if invited else timezone.now(),
        "address": request.build_absolute_uri(reverse("accounts:join")),
        "back": back,
    }
    return render(request, "accounts/slips.html", context)


def back_to(model: str, key: UUID | None = None) -> str:
    """Return the address of a row in the admin, or of the list where no row is named."""
    if key is None:
        return reverse(f"admin:accounts_{model}_changelist")
    return reverse(f"admin:accounts_{model}_change", args=[key])


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
        standing = Invitation.objects.standing()
        invitations = models.Prefetch("invitations", queryset=standing, to_attr="standing_invitations")
        people = super().get_queryset(request).select_related("school", "company")
        return people.prefetch_related(invitations)

    def save_model(self, request: PersonRequest, obj: Person, form: ModelForm, change: bool) -> None:  # type: ignore[override]
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            if change and AUTHORISING.intersection(form.changed_data):
                services.withdraw(obj, now=timezone.now(), actor=request.user)

    def make(self, request: PersonRequest, obj: Person, form: ModelForm) -> Person:
        now, fields = timezone.now(), dict(form.cleaned_data)
        name = fields.pop("username")
        person = services.create_invited_person(name, now=now, actor=request.user, **fields)
        request.invited = invitations.invite([person], now=now, actor=request.user)  # type: ignore[attr-defined]
        return person

    def response_add(
        self, request: HttpRequest, obj: Person, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the invitation in the answer itself: no session, cookie or table ever holds its code."""
        return show_slips(request, request.invited, back=back_to("person"))  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("log-in"))
    def shown_state(self, person: Person) -> str:
        """Tell how far a person is with their password."""
        standing: list[Invitation] = person.standing_invitations  # type: ignore[attr-defined]  # by `get_queryset`
        if standing:
            return _("invitation ran out") if standing[0].expires_at <= timezone.now() else _("invited")
        return _("has a password") if person.has_usable_password() else _("not invited")

    @admin.display(description=gettext_lazy("personal space"))
    def shown_space(self, person: Person) -> str | SafeString:
        return link_to("vault_space", person.space_id)

    @action(description=gettext_lazy("Invite the selected people"), permissions=["change"])
    def invite_selected(self, request: PersonRequest, people: models.QuerySet[Person]) -> HttpResponse:
        return invite_page(self, request, people)

    @row_page(gettext_lazy("Invite"), "invite", "outgoing_mail")
    def invite(self, request: PersonRequest, person: Person) -> HttpResponse:
        """Invite somebody who has no password, or anew."""
        return invite_page(self, request, [person], of=person)

    @row_page(gettext_lazy("Withdraw the invitation"), "withdraw", "block", asks="person/withdraw")
    def withdraw(self, request: PersonRequest, person: Person) -> HttpResponse:
        """Take back the invitation that somebody has."""
        if invitations.withdraw(person, now=timezone.now(), actor=request.user):
            messages.success(request, _("The invitation works no more."))
        else:
            messages.info(request, _("There is no invitation to withdraw."))
        return redirect(back_to("person", person.pk))

    @row_page(gettext_lazy("Reset password"), "reset-password", "lock_reset", asks="person/reset_password")
    def reset_password(self, request: PersonRequest, person: Person) -> HttpResponse:
        """Give back the log-in by an invitation, not the memory."""
        invited = invitations.reset_password(person, now=timezone.now(), actor=request.user)
        return show_slips(request, [invited], back=back_to("person", person.pk))

    @row_page(gettext_lazy("Forget refused log-ins"), "open-log-in", "lock_open")
    def open_log_in(self, request: PersonRequest, person: Person) -> HttpResponse:
        """Show what a person's refused attempts have used up, and let them try again at once."""
        if request.method == "POST":
            attempts.open_again(person, now=timezone.now(), actor=request.user)
            messages.success(request, _("%(person)s can try again at once.") % {"person": person.username})
            return redirect(back_to("person", person.pk))
        counts = attempts.counts_of(person, now=timezone.now())
        title = _("Forget refused log-ins")
        return self.show(request, "accounts/person/open_log_in", title, original=person, counts=counts)


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
    def invite_members(self, request: PersonRequest, school_class: SchoolClass) -> HttpResponse:
        """Make slips for all of a class who have no password yet."""
        people = school_class.people.select_related("school", "company").order_by("display_name", "username")
        return invite_page(self, request, people, of=school_class)


@admin.register(Company)
class CompanyAdmin(KeptAdmin):
    list_display = ("name", "shown_space")
    search_fields = ("name",)
    fields = ("name", "shown_space")
    readonly_fields = ("shown_space",)
    actions_detail = ("live_state",)

    def make(self, request: PersonRequest, obj: Company, form: ModelForm) -> Company:
        """Make a company together with its open space."""
        return services.create_company(obj.name, now=timezone.now(), actor=request.user)

    @row_page(gettext_lazy("Live state"), "live-state", "monitoring")
    def live_state(self, request: HttpRequest, company: Company) -> HttpResponse:
        """Go on to the company's figures and deadlines."""
        return redirect("admin:memory_kpi_company", company.pk)

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


@admin.register(Invitation)
class InvitationAdmin(HistoryAdmin):
    """Every invitation there was. One that still works can be taken back."""

    columns = ("person", "created_at", "expires_at", "used_at", "withdrawn_at")
    id_columns = ("person",)
    hidden = ("code_hash",)
    list_filter = ("used_at", "withdrawn_at")
    actions = ("withdraw_selected",)

    @action(description=gettext_lazy("Withdraw the selected invitations"), permissions=["view"])
    def withdraw_selected(self, request: PersonRequest, rows: models.QuerySet[Invitation]) -> None:
        people = Person.objects.filter(pk__in=rows.standing().values("person"))  # type: ignore[attr-defined]
        now = timezone.now()
        count = sum(invitations.withdraw(person, now=now, actor=request.user) for person in people)
        said = ngettext("%(count)d invitation works no more.", "%(count)d invitations work no more.", count)
        messages.success(request, said % {"count": count})


class SystemForm(ModelForm):
    """A system's name, which no other of its school or company has."""

    def validate_unique(self):
        """Compare with the owner's others also where the owner can no longer be chosen, and so is no part of the form."""
        super().validate_unique()
        if self._meta.model.OWNER not in self.fields:
            try:
                self.instance.validate_constraints()
            except ValidationError as taken:
                self.add_error(None, taken)


@admin.register(LearningSystem, BusinessSystem)
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

    def show(self, request: HttpRequest, name: str, title: str | Promise = "", **values: Any) -> HttpResponse:
        """Show a page by the name of the system that it is about."""
        return super().show(request, name, values["original"].name, **values)

    def make(self, request: PersonRequest, obj: System, form: ModelForm) -> System:
        owner = {self.owner: getattr(obj, self.owner)}
        made, request.secret = systems.create_system(  # type: ignore[attr-defined]
            type(obj), name=obj.name, now=timezone.now(), actor=request.user, **owner
        )
        return made

    def response_add(
        self, request: HttpRequest, obj: System, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the secret in the answer itself: no session, cookie or table ever holds it."""
        return self.show(request, "accounts/system/secret", original=obj, secret=request.secret)  # type: ignore[attr-defined]

    @row_page(gettext_lazy("New secret"), "new-secret", "key", asks="system/renew_secret")
    def renew_secret(self, request: PersonRequest, system: System) -> HttpResponse:
        """Replace the secret and show the new one."""
        secret = systems.renew_secret(system, now=timezone.now(), actor=request.user)
        return self.show(request, "accounts/system/secret", original=system, secret=secret)

    @row_page(gettext_lazy("Shut out"), "revoke", "block", asks="system/revoke")
    def revoke(self, request: PersonRequest, system: System) -> HttpResponse:
        systems.revoke(system, now=timezone.now(), actor=request.user)
        messages.success(request, _("%(system)s can send nothing any more.") % {"system": system.name})
        return redirect(back_to(str(self.opts.model_name), system.pk))


@admin.register(LimitCount)
class LimitCountAdmin(HistoryAdmin):
    """A person's own are forgotten at the person's page."""

    id_columns: ClassVar[tuple[str, ...]] = ("who",)
    list_display = ["key", "limit", "used", "until"]
    shown_fields = ("key", "who", "limit", "used", "step", "until")

    @admin.display(description=gettext_lazy("used"))
    def used(self, row: LimitCount) -> str:
        return row.shown


admin.site.register(
    ApiToken,
    SpaceRowAdmin,
    columns=("space", "name", "created_at", "expires_at", "last_used_at", "revoked_at"),
)
