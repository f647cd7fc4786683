"""Replies that are being written: in this process, so that any of its sockets can follow or stop them, and in others."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer

from chat.models import Message
from chat.notices import group_of
from companion_site.errors import CompanionError
from companion_site.vault.grants import using_grant

#: A reply that no process has written to for this long was cut short.
STALE_AFTER = timedelta(seconds=6)


@dataclass
class LiveReply:
    """One reply in the making: its text so far, and a number for each piece."""

    reply: UUID
    pieces: list[str] = field(default_factory=list)
    state: Message.State = Message.State.STREAMING
    error: CompanionError | None = None
    task: asyncio.Task[None] | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def add(self, piece: str) -> None:
        if piece:
            self.pieces.append(piece)
            self._wake()

    def end(self, state: Message.State, error: CompanionError | None = None) -> None:
        self.state, self.error = state, error
        self._wake()

    def stop(self) -> None:
        """End the reply where it is; what has been said stays."""
        if self.task is not None:
            self.task.cancel()

    async def follow(self, after: int) -> AsyncIterator[tuple[int, str]]:
        """Yield (number, piece) from piece `after` + 1 on, until the reply ends."""
        seq = after
        while True:
            news = self._news
            while seq < len(self.pieces):
                seq += 1
                yield seq, self.pieces[seq - 1]
            if self.state != Message.State.STREAMING:
                return
            if seq == len(self.pieces):
                await news.wait()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


#: every reply that this process is writing
live_replies: dict[UUID, LiveReply] = {}


def start_reply(live: LiveReply, work: Coroutine[Any, Any, None]) -> None:
    """Run a turn until it ends, whatever becomes of the socket that asked for it; its grant stays open so long."""
    live_replies[live.reply] = live
    live.task = asyncio.create_task(_under_grant(work))
    live.task.add_done_callback(lambda _: live_replies.pop(live.reply, None))


async def _under_grant(work: Coroutine[Any, Any, None]) -> None:
    with using_grant():
        await work


def is_live(reply: Message, *, now: datetime) -> bool:
    """Tell whether some process is still writing this reply."""
    written = reply.streamed_at or reply.said_at
    return reply.state == Message.State.STREAMING and now - written < STALE_AFTER


async def stop_reply(conversation: UUID, reply: UUID) -> None:
    """Stop a reply, in whichever process it is being written."""
    live = live_replies.get(reply)
    if live is not None:
        live.stop()
    else:
        event = {"type": "reply.stop", "reply": str(reply)}
        await get_channel_layer().group_send(group_of(conversation), event)
