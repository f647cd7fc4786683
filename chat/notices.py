"""News from the background to an open page: ids and numbers over the channel layer, never words.

A channel layer's connections belong to one event loop: the server's where there is one, else one of this module's
own, kept for the life of the worker process.
"""

import asyncio
from concurrent.futures import CancelledError
from threading import Lock, Thread
from typing import Any
from uuid import UUID

import structlog
from channels.layers import get_channel_layer

from chat.models import Message
from companion_site.body_limits import App, Receive, Scope, Send

logger = structlog.get_logger(__name__)

SEND_TIMEOUT_S = 2.0
_guard = Lock()
_loop: asyncio.AbstractEventLoop | None = None


def group_of(conversation: UUID) -> str:
    """Return the channel-layer group of everybody who has a conversation open."""
    return f"conversation.{conversation.hex}"


def send_from_server(application: App) -> App:
    """Have everything sent from the loop that serves an ASGI application, and so receives, from its first call on."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        global _loop
        _loop = asyncio.get_running_loop()
        await application(scope, receive, send)

    return serve


def announce_formed(conversation: UUID, message: UUID, count: int) -> None:
    """Tell open pages how many memories came from a message."""
    _announce(conversation, {"type": "memory.formed", "message": str(message), "count": count})


def announce_noted(conversation: UUID, message: UUID, reply: UUID) -> None:
    """Tell open pages that something was noted of a message, which stands under its reply."""
    _announce(conversation, {"type": "reply.noted", "message": str(message), "reply": str(reply)})


def announce_deleted(conversation: UUID) -> None:
    """Tell open pages that their conversation is no longer there."""
    _announce(conversation, {"type": "conversation.deleted"})


def announce_turned(conversation: UUID) -> None:
    """Tell open pages that another version of a message stands in their conversation."""
    _announce(conversation, {"type": "conversation.turned"})


async def announce_begun(
    message: Message, reply: Message, *, replaces: UUID | None, sender: str = ""
) -> None:
    """Tell open pages that something was said and is being answered.

    Args:
        replaces: the message in whose place the first of these two stands from now on.
        sender: the channel of the page that knows already.
    """
    event = {
        "type": "exchange.begun",
        "message": str(message.pk),
        "reply": str(reply.pk),
        "replaces": str(replaces or ""),
        "sender": sender,
    }
    await tell_pages(message.conversation_id, event)


def _announce(conversation: UUID, event: dict[str, Any]) -> None:
    """Send from a thread. Nothing depends on it arriving."""
    sending = asyncio.run_coroutine_threadsafe(tell_pages(conversation, event), _sending_loop())
    try:
        sending.result(timeout=SEND_TIMEOUT_S)
    except (TimeoutError, CancelledError) as error:
        # What it tells of is safe in the database, where a page that misses this finds it (chat/memories/formation.py).
        sending.cancel()
        logger.warning("notice.lost", message=event.get("message"), error=type(error).__name__)


async def tell_pages(conversation: UUID, event: dict[str, Any]) -> None:
    """Send an event to everybody who has a conversation open; what it tells of stands whether or not it arrives."""
    try:
        await get_channel_layer().group_send(group_of(conversation), event)
    except Exception:  # of whatever layer: news that is lost must not undo what it is about
        logger.exception("notice.failed")


def _sending_loop() -> asyncio.AbstractEventLoop:
    """Return the loop to send from; a process forked from one with a loop makes its own."""
    global _loop
    with _guard:
        if _loop is None or not _loop.is_running():
            _loop = asyncio.new_event_loop()
            Thread(target=_loop.run_forever, name="notices", daemon=True).start()
        return _loop
