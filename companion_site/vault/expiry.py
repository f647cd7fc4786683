"""Dropping what has expired: leases that were never given back, and sessions with the half of a key they hold."""

from datetime import datetime
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from companion_site.audit.services import record_event
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope


def drop_expired_leases(*, now: datetime) -> int:
    """Delete every lease whose hours are over; return how many. Work that still waits queues a new one at log-in."""
    return sum(_drop_leases(space, now=now) for space in _spaces_with_expired_leases(now))


def drop_expired_sessions() -> None:
    """Delete the sessions that nobody can use any more, and those of the table that Django itself would keep them in."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    SessionStore.clear_expired()


def _spaces_with_expired_leases(now: datetime) -> list[UUID]:
    # Across spaces, so by the role that sees no more than kinds and times.
    leases = KeySlot.objects.using("metadata").of_kind(KeySlot.Kind.LEASE)
    return list(leases.filter(expires_at__lte=now).values_list("space_id", flat=True))


def _drop_leases(space: UUID, *, now: datetime) -> int:
    with space_scope(space):
        leases = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE).filter(expires_at__lte=now)
        dropped, _ = leases.delete()
        if dropped:
            record_event("vault.lease_expired", chain=space, now=now)
        return dropped
