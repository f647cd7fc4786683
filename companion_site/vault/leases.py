"""Work behind the conversation: the key by lease for one piece of it, given back when no work is left.

What such work is belongs to the apps above; the settings name their jobs and their questions.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from companion_site.audit.services import record_event
from companion_site.jobs import enqueue, job
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.grants import Authority, granted
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import await_key, drop_lease, grant_lease, lock_lease, use_lease


@dataclass(frozen=True)
class Ownership(Authority):
    """What a piece of work goes on by once it has the key: a space that is not given up, of an owner who is not shut out.

    The lease itself may end while the work is done, since other work of the space gives it back.
    """

    space: UUID

    @classmethod
    def standing(cls, asked: "Collection[Ownership]", *, now: datetime) -> "set[Ownership]":
        spaces = Space.objects.filter(
            pk__in={one.space for one in asked}, closed_at__isnull=True, owner__is_active=True
        )
        return {cls(space) for space in spaces.values_list("pk", flat=True)}


@contextmanager
def leased(space_id: UUID, *, purpose: str, now: datetime) -> Iterator[SpaceKey | None]:
    """Yield the space's key for one piece of work, None where there is no lease; give it back when nothing is left.

    Work that could not be done, for want of the key or by a fault, is noted on the space: the next unlock queues it. Where its
    person is shut out meanwhile, the work fails at its next transaction and is noted so.
    """
    space = Space.objects.get(pk=space_id)
    key = use_lease(space, purpose=purpose, now=now)
    if key is None and work_left(space.pk):
        await_key(space.pk, now=now)
    try:
        with nullcontext() if key is None or not space.sealed else granted(Ownership(space.pk), space.pk):
            yield key
    except Exception:  # raised again below
        await_key(space.pk, now=now)
        raise
    if key is not None:
        _give_back(space.pk, granted_before=now)


def leased_job(purpose: str) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a job of what is done with a space's key: `work(space, *ids, key=, now=)`; without a lease the space notes that it must be unlocked first."""

    def make(work: Callable[..., Any]) -> Callable[..., None]:
        @job
        @wraps(work)
        def run(space: UUID, *ids: UUID, now: datetime) -> None:
            with leased(space, purpose=purpose, now=now) as key:
                if key is not None:
                    work(space, *ids, key=key, now=now)

        return run

    return make


def _give_back(space: UUID, *, granted_before: datetime) -> None:
    """End the lease unless work is left or it was renewed since.

    Whoever stores work renews the lease in the same transaction. With the lease locked, that work is either seen here
    or comes with a lease of its own.
    """
    with space_scope(space):
        lock_lease(space)
        if not work_left(space):
            drop_lease(space, granted_before=granted_before, now=timezone.now())


def work_left(space: UUID) -> bool:
    """Tell whether anything of the space still waits for its key, by the questions named in the settings."""
    with space_scope(space):
        return any(import_string(path)(space) for path in settings.WORK_LEFT)


def queue_between_sessions(key: SpaceKey, *, now: datetime) -> None:
    """Queue what settles a memory after a session, with a lease to do it; nothing where nothing is due.

    Called at log-out, and at log-in for the session that ended by itself.
    """
    with space_scope(key.space):
        due = [
            task for question, task in settings.BETWEEN_SESSIONS.items() if import_string(question)(key.space)
        ]
        if due and grant_lease(key, now=now):
            for task_path in due:
                enqueue(task_path, key.space)


def drop_expired_leases(*, now: datetime) -> int:
    """Delete every lease whose hours are over; return how many. Work that still waits queues a new one at log-in."""
    # Across spaces, so by the role that sees no more than kinds and times.
    expired = KeySlot.objects.using("metadata").of_kind(KeySlot.Kind.LEASE).filter(expires_at__lte=now)
    dropped = 0
    for space in list(expired.values_list("space_id", flat=True)):
        with space_scope(space):
            leases = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE)
            deleted, _ = leases.filter(expires_at__lte=now).delete()
            if deleted:
                record_event("vault.lease_expired", chain=space, now=now)
            dropped += deleted
    return dropped
