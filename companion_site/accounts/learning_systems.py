"""A school's learning platforms: made with a secret that is shown once, known again by it, and shut out.

The secret is 256 random bits, so nobody guesses it and a plain SHA-256 of it is enough to keep: a slow hash protects
secrets that people choose, and here it would be paid for with every lesson that comes in, by whoever asks.
"""

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import models, transaction

from companion_site.accounts.models import LearningSystem, School
from companion_site.audit.services import record_event

SECRET_BYTES = 32


def create_learning_system(
    school: School, *, name: str, now: datetime, actor: models.Model | None
) -> tuple[LearningSystem, str]:
    """Make a learning system of a school; return it and its secret, which is shown once."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        system = LearningSystem.objects.create(
            school=school, name=name, secret_hash=_hashed(secret), created_at=now
        )
        record_event("accounts.learningsystem_created", actor=actor, subject=system, now=now)
    return system, secret


def renew_secret(system: LearningSystem, *, now: datetime, actor: models.Model | None) -> str:
    """Replace a secret; return the new one, which is shown once. The old one opens nothing any more."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        system.secret_hash, system.revoked_at = _hashed(secret), None
        system.save(update_fields=["secret_hash", "revoked_at"])
        record_event("accounts.learningsystem_renewed", actor=actor, subject=system, now=now)
    return secret


def revoke(system: LearningSystem, *, now: datetime, actor: models.Model | None) -> None:
    """Shut a learning system out. What it sent stays."""
    with transaction.atomic():
        system.revoked_at = now
        system.save(update_fields=["revoked_at"])
        record_event("accounts.learningsystem_revoked", actor=actor, subject=system, now=now)


def find_learning_system(name: str, secret: str) -> LearningSystem | None:
    """Return the system that logs in by its id and secret; None where they do not fit together."""
    try:
        system = LearningSystem.objects.select_related("school").filter(pk=UUID(name)).first()
    except ValueError:
        system = None
    kept = system.secret_hash if system is not None and system.revoked_at is None else ""
    same = hmac.compare_digest(kept or _hashed(""), _hashed(secret))
    return system if kept and same else None


def _hashed(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
