"""News from the background to an open page: ids and numbers over the channel layer, never words."""

from uuid import UUID

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = structlog.get_logger(__name__)


def group_of(conversation: UUID) -> str:
    """Return the channel-layer group of everybody who has a conversation open."""
    return f"conversation.{conversation.hex}"


def announce_formed(conversation: UUID, message: UUID, count: int) -> None:
    """Tell open pages that a message has been remembered. Nothing depends on it arriving."""
    if not count:
        return
    event = {"type": "memory.formed", "message": str(message), "count": count}
    try:
        async_to_sync(get_channel_layer().group_send)(group_of(conversation), event)
    except Exception:
        # The memory is safe in the database; a page that misses this shows it when it is next loaded.
        logger.exception("notice.lost", message=str(message))
