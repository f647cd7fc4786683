"""Asking the memory, or waiting for it: what cannot be sent now goes later, in its order and once."""

import asyncio
from collections.abc import Callable
from typing import Any

from memory.agents.client.adapter import Adapter
from memory.agents.client.errors import MemoryRefused, MemoryUnreachable, NotLetIn
from memory.agents.client.payload import as_sent
from memory.agents.client.pending import PendingCalls

#: how long nobody is asked after nobody answered: at first, and at the most
PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0


class Reaching:
    """The way to one memory, with what waits to go over it."""

    def __init__(self, adapter: Adapter, pending: PendingCalls, *, clock_s: Callable[[], float]) -> None:
        self.pending = pending
        self._adapter, self._clock_s = adapter, clock_s
        self._pause_s = self._asks_again_s = 0.0
        self._in_order = asyncio.Lock()

    async def ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what a tool answers.

        Raises:
            MemoryUnreachable: nobody answers, or nobody did a moment ago. MemoryRefused.
        """
        return await self._ask(tool, as_sent(arguments))

    async def _ask(self, tool: str, sent: dict[str, Any]) -> dict[str, Any]:
        if self._clock_s() < self._asks_again_s:
            raise MemoryUnreachable("nobody answered a moment ago")
        paused_s, self._pause_s = self._pause_s, 0.0
        try:
            return await self._adapter.call(tool, sent)
        except MemoryUnreachable:
            self._pause_s = min(max(PAUSE_S, 2 * paused_s), LONGEST_PAUSE_S)
            self._asks_again_s = self._clock_s() + self._pause_s
            raise

    async def write(self, tool: str, arguments: dict[str, Any]) -> None:
        """Make a call that has to be made, or have it wait behind those that wait already.

        Raises:
            MemoryRefused: the memory says no. PendingFull: nobody answers, and no more can wait.
        """
        sent = as_sent(arguments)
        async with self._in_order:
            await self._replay()
            if not len(self.pending):
                try:
                    await self._ask(tool, sent)
                    return
                except MemoryUnreachable:
                    pass
            self.pending.add(tool, sent)

    async def replay(self) -> int:
        """Make the calls that wait; return how many were made. Stops where nobody answers.

        Raises:
            NotLetIn: the memory does not listen to this program; everything waits on.
        """
        async with self._in_order:
            return await self._replay()

    async def _replay(self) -> int:
        made = 0
        while (call := self.pending.first()) is not None:
            try:
                await self.ask(call.tool, call.arguments)
            except MemoryUnreachable:
                break
            except NotLetIn:
                raise
            except MemoryRefused:
                self.pending.refused(call)
                continue
            self.pending.done(call)
            made += 1
        return made
