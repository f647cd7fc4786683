"""Asking the memory, or waiting for it: what cannot be sent now goes later, in its order and once.

What is sent is plain JSON of a bounded size, and refused here where no memory could ever take it: a call that cannot be sent
would wait for ever, and all that were made after it behind it.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from memory.agents.client.adapters import Adapter
from memory.agents.client.errors import MemoryRefused, MemoryUnreachable, NotLetIn
from memory.agents.client.pending import PendingCalls
from memory.agents.mcp.protocol import REQUEST_BYTES

#: what the protocol puts around the arguments of a call takes less than this
_AROUND_BYTES = 4_096
#: Lists and objects in each other; a memory takes far fewer, and parsers give up not far above.
MOST_DEPTH = 64

T = TypeVar("T")
#: how long nobody is asked after nobody answered: at first, and at the most
PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0


def as_sent(value: T) -> T:
    """Return a value of JSON as it arrives: what is half a pair of surrogates, which UTF-8 cannot carry, is replaced.

    Raises:
        MemoryRefused: it is no JSON, nested too deeply, or more than one call may carry.
    """
    if _is_deeper(value, MOST_DEPTH):
        raise MemoryRefused("orchestrator.too-deep", "It is nested too deeply.")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise MemoryRefused("orchestrator.not-json", "It holds what JSON does not.") from None
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if len(paired.encode()) > REQUEST_BYTES - _AROUND_BYTES:
        raise MemoryRefused("orchestrator.too-large", "It is more than one call may carry.")
    arrived: T = json.loads(paired)
    return arrived


def _is_deeper(value: Any, room: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, list | tuple) and (
        room == 0 or any(_is_deeper(part, room - 1) for part in value)
    )


class Reaching:
    """The way to one memory, with what waits to go over it."""

    def __init__(self, adapter: Adapter, pending: PendingCalls, *, clock_s: Callable[[], float]) -> None:
        self.pending = pending
        self._adapter, self._clock_s = adapter, clock_s
        self._pause_s = self._asks_again_s = 0.0
        self._in_order = asyncio.Lock()

    async def ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what a tool answers. Raises MemoryUnreachable: nobody answers, or nobody did a moment ago. MemoryRefused."""
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
