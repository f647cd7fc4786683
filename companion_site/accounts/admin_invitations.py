"""Invitations in the admin: who is invited, a page of slips to hand out, and taking an invitation back.

A code stands in the answer that made it and nowhere else: no session, cookie, message or table holds it.
"""

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import action

from companion_site.accounts import invitations
from companion_site.accounts.admin_base import KeptAdmin
from companion_site.accounts.invitations import Invited
from companion_site.accounts.models import Invitation, Person
from companion_site.accounts.requests import PersonRequest
from companion_site.administration.history import HistoryAdmin

#: Slips on one page; more people are invited class by class.
MOST_SLIPS = 500


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
    return admin.show(request, of, "person/invite", _("Invite"), selected=selected, **told)


def show_slips(request: HttpRequest, invited: list[Invited], *, back: str) -> HttpResponse:
    """Show each code, this once, as a page to print."""
    context = {
        "all_invited": invited,
        "until": invited[0].invitation.expires_at if invited else timezone.now(),
        "address": request.build_absolute_uri(reverse("accounts:join")),
        "back": back,
    }
    return render(request, "accounts/slips.html", context)


def invitation_state(person: Person) -> str:
    """Tell how far a person is with their password, for a list that holds their standing invitations."""
    standing: list[Invitation] = person.standing_invitations  # type: ignore[attr-defined]
    if standing:
        if standing[0].expires_at <= timezone.now():
            return _("invitation ran out")
        return _("invited")
    return _("has a password") if person.has_usable_password() else _("not invited")


def with_invitations(people: models.QuerySet[Person]) -> models.QuerySet[Person]:
    """Read the invitations that stand along with the people."""
    standing = models.Prefetch(
        "invitations", queryset=Invitation.objects.standing(), to_attr="standing_invitations"
    )
    return people.prefetch_related(standing)


def back_to(model: str, key: UUID | None = None) -> str:
    """Return the address of a row in the admin, or of the list where no row is named."""
    if key is None:
        return reverse(f"admin:accounts_{model}_changelist")
    return reverse(f"admin:accounts_{model}_change", args=[key])
