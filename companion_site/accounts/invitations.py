"""Invitations: how a person comes to a password that nobody else has seen.

Staff make the account and hand over a code. Whoever has the code chooses the password, once; the sealed space is made then,
with that password, and its recovery code is shown to them alone. A reset of the password is an invitation too.

A code is 16 letters and digits (80 bits). The table keeps its HMAC under a key from the key store, so a copy of the
database alone gives no code away, and none can be tried against it: docs/decisions/0012-invitations.md.
"""

import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import models, transaction

from companion_site.accounts import services
from companion_site.accounts.errors import BadInvitation
from companion_site.accounts.models import Invitation, Person
from companion_site.accounts.tokens import revoke_tokens
from companion_site.audit.services import record_event
from companion_site.vault import services as vault
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keystore import get_key_store

#: No I, L, O or U: they are taken for 1, 0 and V, or make words.
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LETTERS = 16
GROUP = 4
_MISREAD = str.maketrans("OILU", "011V")


@dataclass(frozen=True)
class Invited:
    """An invitation with its code, which is shown once."""

    invitation: Invitation
    code: str

    @property
    def person(self) -> Person:
        return self.invitation.person


@dataclass(frozen=True)
class Accepted:
    """Who accepted an invitation, and what opens their memory.

    Attributes:
        key: of their space; None where a reset left it locked.
        recovery_code: shown once, to them; empty where none was made.
    """

    person: Person
    key: SpaceKey | None
    recovery_code: str


def invite(people: Iterable[Person], *, now: datetime, actor: models.Model | None) -> list[Invited]:
    """Invite people, together or not at all; an invitation that one of them still has stops working."""
    expires = now + timedelta(days=settings.INVITATION_DAYS)
    invited = []
    with transaction.atomic():
        for person in _lock(people):
            _withdraw(person, now=now, actor=actor)
            code = new_code()
            invitation = Invitation.objects.create(
                person=person, code_hash=_code_hash(code), created_at=now, expires_at=expires
            )
            data = {"person": str(person.pk), "days": settings.INVITATION_DAYS}
            record_event("accounts.invitation_made", actor=actor, subject=invitation, data=data, now=now)
            invited.append(Invited(invitation, code))
    return invited


def reset_password(person: Person, *, now: datetime, actor: models.Model | None) -> Invited:
    """Take a person's password away and invite them to choose another.

    Whatever opened the memory before ends: the password, log-ins, leases and tokens. Agents stay, and get new tokens from whoever
    recovers them. The memory stays locked until the recovery code is entered, or is begun anew.
    """
    with transaction.atomic():
        (person,) = _lock([person])
        services.withdraw(person, now=now, actor=actor)
        revoke_tokens(person, now=now, actor=actor)
        if person.space_id is not None:
            vault.drop_password(services.personal_space(person), now=now, actor=actor)
        person.set_unusable_password()
        person.save(update_fields=["password"])
        record_event("accounts.password_reset", actor=actor, subject=person, now=now)
        (invited,) = invite([person], now=now, actor=actor)
    return invited


def withdraw(person: Person, *, now: datetime, actor: models.Model | None) -> bool:
    """End the invitation that a person still has; return whether there was one."""
    with transaction.atomic():
        return any(_withdraw(locked, now=now, actor=actor) for locked in _lock([person]))


def find_invitation(code: str, *, now: datetime) -> Invitation:
    """Return the invitation that a code opens.

    Raises:
        BadInvitation: there is none, or it has been used or withdrawn, or has run out, or its person is shut out. The answer
            is the same for all of them.
    """
    rows = Invitation.objects.select_related("person__school", "person__company").standing()
    found = rows.filter(code_hash=_code_hash(code), expires_at__gt=now, person__is_active=True).first()
    if found is None:
        raise BadInvitation()
    return found


def accept(code: str, *, password: str, now: datetime, recovery_code: str = "") -> Accepted:
    """Use an invitation up: set the password, and make the space where there is none yet.

    Args:
        recovery_code: opens the memory again after a reset; without it the memory stays locked.

    Raises:
        BadInvitation: see `find_invitation`.
        SpaceLocked: the recovery code does not open the memory (`WrongKey`), or nothing does; the invitation stays.
    """
    person = find_invitation(code, now=now).person
    opened = None
    if person.space_id is not None and recovery_code:
        opened = services.unlock_by_code(person, recovery_code, now=now)
    with transaction.atomic():
        (person,) = _lock([person])
        invitation = find_invitation(code, now=now)
        key, fresh = _set_password(person, opened, password=password, now=now)
        invitation.used_at = now
        invitation.save(update_fields=["used_at"])
        data = {"person": str(person.pk)}
        record_event("accounts.invitation_used", actor=person, subject=invitation, data=data, now=now)
    return Accepted(person, key, fresh)


def new_code() -> str:
    """Return a code as it is handed over: four groups of four."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
    return "-".join(letters[start : start + GROUP] for start in range(0, CODE_LETTERS, GROUP))


def normalise_code(code: str) -> str:
    """Return a code as it was made, without its hyphens, however it was typed."""
    letters = "".join(character for character in code.upper() if character.isalnum())
    return letters.translate(_MISREAD)


def _lock(people: Iterable[Person]) -> list[Person]:
    """Read people anew and hold their rows until the transaction ends: first of all and in one order, so that two never wait
    for each other."""
    rows = Person.objects.filter(pk__in=[person.pk for person in people]).order_by("pk")
    return list(rows.select_for_update(no_key=True))


def _withdraw(person: Person, *, now: datetime, actor: models.Model | None) -> bool:
    standing = Invitation.objects.filter(person=person).standing().first()
    if standing is None:
        return False
    standing.withdrawn_at = now
    standing.save(update_fields=["withdrawn_at"])
    data = {"person": str(person.pk)}
    record_event("accounts.invitation_withdrawn", actor=actor, subject=standing, data=data, now=now)
    return True


def _set_password(
    person: Person, opened: SpaceKey | None, *, password: str, now: datetime
) -> tuple[SpaceKey | None, str]:
    """Set what logs in and, where there is a key or no space yet, what opens the memory; return key and recovery code."""
    if person.space_id is None:
        return services.begin_space(person, password=password, now=now)
    if opened is not None:
        return opened, services.give_back(person, key=opened, password=password, now=now)
    person.set_password(password)
    person.save(update_fields=["password"])
    return None, ""


def _code_hash(code: str) -> bytes:
    salt = get_key_store().institution_salt()
    letters = normalise_code(code).encode("utf-8", "surrogatepass")
    return hmac.digest(salt, b"companion/invitation/1" + letters, sha256)
