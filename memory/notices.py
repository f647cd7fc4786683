"""News of work on a memory to an open page: ids and numbers over the channel layer, never words.

A channel layer's connections belong to one event loop: this module keeps one of its own for the life of the process.
"""

import asyncio
from concurrent.futures import CancelledError
from threading import Lock, Thread
from uuid import UUID

import structlog
from channels.layers import get_channel_layer

logger = structlog.get_logger(__name__)

SEND_TIMEOUT_S = 2.0
_guard = Lock()
_loop: asyncio.AbstractEventLoop | None = None


def group_of_memory(space: UUID) -> str:
    """Return the channel-layer group of everybody who watches a space's memory."""
    return f"memory.{space.hex}"


def announce_compression(space: UUID, run: UUID, progress: float) -> None:
    """Tell open pages how far a compression has come. Nothing depends on it arriving: the run's row says the same."""
    event = {"type": "memory.compression", "run": str(run), "progress": round(progress, 3)}
    sending = asyncio.run_coroutine_threadsafe(_send(group_of_memory(space), event), _sending_loop())
    try:
        sending.result(timeout=SEND_TIMEOUT_S)
    except (TimeoutError, CancelledError, OSError) as error:
        sending.cancel()
        logger.warning("notice.lost", run=str(run), error=type(error).__name__)


async def _send(group: str, event: dict) -> None:
    try:
        await get_channel_layer().group_send(group, event)
    except Exception:
        logger.exception("notice.failed")


def _sending_loop() -> asyncio.AbstractEventLoop:
    """Return the loop to send from; a process forked from one with a loop makes its own."""
    global _loop
    with _guard:
        if _loop is None or not _loop.is_running():
            _loop = asyncio.new_event_loop()
            Thread(target=_loop.run_forever, name="memory-notices", daemon=True).start()
        return _loop
