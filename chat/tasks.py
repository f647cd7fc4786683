"""Background jobs of the chat: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from chat.formation import end_lease_when_done, form_all_awaiting, form_from_message
from companion_site.vault.models import Space
from companion_site.vault.services import await_key, use_lease


def form_memory(space_id: str, message_id: str) -> None:
    """Form the memories of one message, or note that the space must be unlocked first."""
    space, started = Space.objects.get(pk=UUID(space_id)), timezone.now()
    key = use_lease(space, purpose="memory.formation", now=started)
    if key is None:
        await_key(space.pk, now=started)
        return
    form_from_message(space.pk, UUID(message_id), key=key, now=started)
    end_lease_when_done(space.pk, started=started, now=timezone.now())


def form_awaiting(space_id: str) -> None:
    """Form everything that had to wait for the space's key."""
    space, started = Space.objects.get(pk=UUID(space_id)), timezone.now()
    key = use_lease(space, purpose="memory.formation", now=started)
    if key is None:
        await_key(space.pk, now=started)
        return
    form_all_awaiting(space.pk, key=key, now=started)
    end_lease_when_done(space.pk, started=started, now=timezone.now())
