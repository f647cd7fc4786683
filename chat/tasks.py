"""Background jobs of the chat: ids in, one service called, safe to run twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from chat.formation import end_lease_when_done, form_all_awaiting, form_from_message
from companion_site.jobs import job
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.models import Space
from companion_site.vault.services import await_key, use_lease


@job
def form_memory(space_id: str, message_id: str) -> None:
    """Form the memories of one message, or note that the space must be unlocked first."""
    now = timezone.now()
    with _leased(UUID(space_id), now=now) as key:
        if key is not None:
            form_from_message(key.space, UUID(message_id), key=key, now=now)


@job
def form_awaiting(space_id: str) -> None:
    """Form everything that had to wait for the space's key."""
    now = timezone.now()
    with _leased(UUID(space_id), now=now) as key:
        if key is not None:
            form_all_awaiting(key.space, key=key, now=now)


@contextmanager
def _leased(space_id: UUID, *, now: datetime) -> Iterator[SpaceKey | None]:
    """Yield the space's key for one piece of work, None where there is no lease; give it back when nothing is left.

    Work that could not be done, for want of the key or by a fault, is noted on the space: the next unlock queues it.
    """
    space = Space.objects.get(pk=space_id)
    key = use_lease(space, purpose="memory.formation", now=now)
    if key is None:
        await_key(space.pk, now=now)
    try:
        yield key
    except Exception:
        await_key(space.pk, now=now)
        raise
    if key is not None:
        end_lease_when_done(space.pk, started=now, now=timezone.now())
