"""Programs that work with the site over an API: made with a secret that is shown once, known again by it, and shut out.

A school's learning platforms and a company's own programs alike. The secret is 256 random bits, so nobody guesses it
and a plain SHA-256 of it is enough to keep: a slow hash protects secrets that people choose, and here it would be paid
for with every request that comes in, by whoever asks.
"""

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

from django.db import models, transaction

from companion_site.accounts.models import BusinessSystem, Company, LearningSystem, School, System
from companion_site.audit.services import record_event

SECRET_BYTES = 32

Kind = TypeVar("Kind", bound=System)

#: The systems of each kind, with whose they are.
SYSTEMS: dict[type[System], models.QuerySet[Any]] = {
    LearningSystem: LearningSystem.objects.select_related("school"),
    BusinessSystem: BusinessSystem.objects.select_related("company"),
}


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
        system = SYSTEMS[kind].filter(pk=UUID(name)).first()
    except ValueError:
        system = None
    kept = system.secret_hash if system is not None and system.revoked_at is None else ""
    same = hmac.compare_digest(kept or _hashed(""), _hashed(secret))
    return system if kept and same else None


def owner_field(kind: type[System]) -> str:
    """Return what a kind of system calls its one key: the school or the company that it belongs to."""
    return next(field.name for field in kind._meta.concrete_fields if field.is_relation)


def _record(system: System, verb: str, *, now: datetime, actor: models.Model | None) -> None:
    record_event(f"accounts.{system._meta.model_name}_{verb}", actor=actor, subject=system, now=now)


def _hashed(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
