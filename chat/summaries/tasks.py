"""Background jobs of the summaries: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from chat.summaries.service import fold_conversation, queue_due
from companion_site.jobs import job
from companion_site.vault.leases import leased

PURPOSE = "chat.summary"


@job
def fold_messages(space_id: str, conversation_id: str) -> None:
    """Fold the oldest messages of one conversation into its summary, or note that the space must be unlocked first.

    What there was no time for is queued again.
    """
    with leased(UUID(space_id), purpose=PURPOSE, now=timezone.now()) as key:
        if key is not None:
            fold_conversation(key.space, UUID(conversation_id), key=key)
            queue_due(key.space, only=UUID(conversation_id))


@job
def fold_awaiting(space_id: str) -> None:
    """Queue the folding of everything that had to wait for the space's key."""
    queue_due(UUID(space_id))
