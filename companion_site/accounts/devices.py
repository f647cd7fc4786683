"""A person's own device or program: let in to send, by a secret that is shown once, and shut out again.

It may put measures into the person's space and read nothing. The record of the space knows whether one is let in: the last
event says so. The secret is an HMAC of that event's id under the space's erasure key, which lies outside the database, so
no table holds anything of it, and an erasure ends it.
"""

import hmac
from base64 import urlsafe_b64encode
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import models

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.keystore import get_key_store
from companion_site.vault.scope import lock_space, space_scope

LET_IN, SHUT_OUT = "accounts.device_let_in", "accounts.device_shut_out"


def let_device_in(person: Person, *, now: datetime) -> str:
    """Let a device of this person send; return its secret. What was let in before is shut out by it.

    Raises:
        NotFound: they have no space of their own.
    """
    space = _space_of(person)
    with space_scope(space):
        lock_space(space)
        event = record_event(LET_IN, chain=space, actor=person, subject=person, now=now)
    return _secret(space, event)


def shut_device_out(person: Person, *, now: datetime) -> bool:
    """Shut this person's device out; return whether one was let in. What it sent stays.

    Raises:
        NotFound: they have no space of their own.
    """
    space = _space_of(person)
    with space_scope(space):
        lock_space(space)
        if _let_in(space) is None:
            return False
        record_event(SHUT_OUT, chain=space, actor=person, subject=person, now=now)
    return True


def device_since(person: Person) -> datetime | None:
    """Return since when a device of this person is let in; None where none is."""
    event = _let_in(person.space_id) if person.space_id is not None else None
    return event.at if event is not None else None


def find_device_owner(*, name: str, secret: str) -> Person | None:
    """Return whose device logs in by their id and its secret; None where they do not fit together."""
    person = _person(name)
    event = _let_in(person.space_id) if person is not None and person.space_id is not None else None
    try:
        kept = _secret(person.space_id, event) if person is not None and event is not None else ""  # type: ignore[arg-type]  # an event is of a space
    except SpaceLocked:
        kept = ""
    same = hmac.compare_digest(kept.encode(), secret.encode("utf-8", "surrogatepass"))
    return person if kept and same else None


def _person(name: str) -> Person | None:
    try:
        return Person.objects.filter(pk=UUID(name), is_active=True).first()
    except ValueError:
        return None


def _space_of(person: Person) -> UUID:
    if person.space_id is None:
        raise NotFound()
    return person.space_id


def _let_in(space: UUID) -> AuditEvent | None:
    """Return the event by which a device is let in, if it was not shut out since."""
    events: models.QuerySet[AuditEvent] = AuditEvent.objects.filter(
        chain=space, action__in=(LET_IN, SHUT_OUT)
    )
    last = events.order_by("-position").first()
    return last if last is not None and last.action == LET_IN else None


def _secret(space: UUID, event: AuditEvent) -> str:
    key = get_key_store().erasure_key(space)
    return (
        urlsafe_b64encode(hmac.digest(key, b"companion/device/1" + event.pk.bytes, sha256))
        .decode()
        .rstrip("=")
    )
