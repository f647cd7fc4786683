"""Background jobs of a company's conversations: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from chat.company import dialogue
from companion_site.jobs import job


@job
def read_conversation(space_id: str, conversation_id: str) -> None:
    """Take the facts from what was said in a conversation since it was last read."""
    dialogue.read_conversation(UUID(space_id), UUID(conversation_id), now=timezone.now())
