"""Programs that work with the site over an API: made with a secret that is shown once, known again by it, and shut out.

A school's learning platforms and a company's own programs alike. The secret is 256 random bits, so nobody guesses it
and a plain SHA-256 of it is enough to keep: a slow hash protects secrets that people choose, and here it would be paid
for with every request that comes in, by whoever asks.

A person's own device or program may put measures into their space and read nothing. The record of the space knows whether
one is let in: the last event says so. Its secret is an HMAC of that event's id under the space's erasure key, which lies
outside the database, so no table holds anything of it, and an erasure ends it.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from datetime import datetime
from hashlib import sha256
from typing import TypeVar
from uuid import UUID

from django.db import models, transaction

from companion_site.accounts.models import Company, Person, School, System
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.keystore import get_key_store
from companion_site.vault.scope import write_scope

SECRET_BYTES = 32

Kind = TypeVar("Kind", bound=System)

LET_IN, SHUT_OUT = "accounts.device_let_in", "accounts.device_shut_out"


def create_system(
    kind: type[Kind], *, name: str, now: datetime, actor: models.Model | None, **owner: School | Company
) -> tuple[Kind, str]:
    """Make a system of a school or company; return it and its secret, which is shown once.

    Args:
        owner: whose it is, by the name that the kind has for it: `school=` or `company=`.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        system = kind(name=name, secret_hash=_hashed(secret), created_at=now, **owner)
        system.save(force_insert=True)
        _record(system, "created", now=now, actor=actor)
    return system, secret


def renew_secret(system: System, *, now: datetime, actor: models.Model | None) -> str:
    """Replace a secret; return the new one, which is shown once. The old one opens nothing any more."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        system.secret_hash, system.revoked_at = _hashed(secret), None
        system.save(update_fields=["secret_hash", "revoked_at"])
        _record(system, "renewed", now=now, actor=actor)
    return secret


def revoke(system: System, *, now: datetime, actor: models.Model | None) -> None:
    """Shut a system out. What it sent stays."""
    with transaction.atomic():
        system.revoked_at = now
        system.save(update_fields=["revoked_at"])
        _record(system, "revoked", now=now, actor=actor)


def find_system(kind: type[Kind], *, name: str, secret: str) -> Kind | None:
    """Return the system of a kind that logs in by its id and secret; None where they do not fit together."""
    try:
        system = models.QuerySet(kind).select_related(kind.OWNER).filter(pk=UUID(name)).first()
    except ValueError:
        system = None
    kept = system.secret_hash if system is not None and system.revoked_at is None else ""
    same = hmac.compare_digest(kept or _hashed(""), _hashed(secret))
    return system if kept and same else None


def _record(system: System, verb: str, *, now: datetime, actor: models.Model | None) -> None:
    record_event(f"accounts.{system._meta.model_name}_{verb}", actor=actor, subject=system, now=now)


def _hashed(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def let_device_in(person: Person, *, now: datetime) -> str:
    """Let a device of this person send; return its secret. What was let in before is shut out by it.

    Raises:
        NotFound: they have no space of their own.
    """
    space = _space_of(person)
    with write_scope(space):
        event = record_event(LET_IN, chain=space, actor=person, subject=person, now=now)
    return _device_secret(space, event)


def shut_device_out(person: Person, *, now: datetime) -> bool:
    """Shut this person's device out; return whether one was let in. What it sent stays.

    Raises:
        NotFound: they have no space of their own.
    """
    space = _space_of(person)
    with write_scope(space):
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
    try:
        person = Person.objects.filter(pk=UUID(name), is_active=True).first()
    except ValueError:
        person = None
    event = _let_in(person.space_id) if person is not None and person.space_id is not None else None
    try:
        kept = _device_secret(person.space_id, event) if person is not None and event is not None else ""  # type: ignore[arg-type]  # an event is of a space
    except SpaceLocked:
        kept = ""
    same = hmac.compare_digest(kept.encode(), secret.encode("utf-8", "surrogatepass"))
    return person if kept and same else None


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


def _device_secret(space: UUID, event: AuditEvent) -> str:
    key = get_key_store().erasure_key(space)
    return (
        urlsafe_b64encode(hmac.digest(key, b"companion/device/1" + event.pk.bytes, sha256))
        .decode()
        .rstrip("=")
    )
