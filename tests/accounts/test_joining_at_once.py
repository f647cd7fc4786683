"""Invitations used, renewed and used again at the same moment."""

import contextlib

from django.utils import timezone

from companion_site.accounts.errors import BadInvitation
from companion_site.accounts.invitations import accept, invite
from companion_site.vault.models import Space
from tests.accounts.test_invitations import CHOSEN, invite_nora
from tests.factories import make_invited_student
from tests.racing import at_once


def test_of_two_who_hold_the_code_one_gets_in(committed):
    """Used twice at the same moment it makes one space; the other is refused."""
    person, code = invite_nora()

    def use(password):
        try:
            return accept(code, password=password, now=timezone.now()).recovery_code
        except BadInvitation:
            return None

    codes = at_once(lambda: use("the first password"), lambda: use("the second password"))
    assert sorted(bool(found) for found in codes) == [False, True]
    assert Space.objects.filter(owner=person).count() == 1


def test_inviting_and_accepting_at_once_wait_for_nobody_in_a_circle(committed):
    """However a class is invited anew while its members join, each ends in one of the two states."""
    people = [make_invited_student(f"p{n}") for n in range(3)]
    codes = [invited.code for invited in invite(people, now=timezone.now(), actor=None)]

    def use(code):
        with contextlib.suppress(BadInvitation):
            accept(code, password=CHOSEN, now=timezone.now())

    joining = [lambda code=code: use(code) for code in codes]
    at_once(lambda: invite(reversed(people), now=timezone.now(), actor=None), *joining)
    for person in people:
        person.refresh_from_db()
        used = person.invitations.filter(used_at__isnull=False).exists()
        assert used == (person.space_id is not None)
