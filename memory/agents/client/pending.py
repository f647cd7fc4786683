"""Calls that nobody answered, waiting for the memory to be back, in the order they were made.

Every call that waits here can be made twice: a save has its client's id, and an upsert says what shall be, not what to add.
"""

import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from memory.agents.client.errors import PendingFull


@dataclass(frozen=True)
class PendingCall:
    """One call that waits.

    Attributes:
        id: its place in the order.
    """

    id: int
    tool: str
    arguments: dict[str, Any]


class PendingCalls:
    """What waits, in this process's memory alone: gone when the program ends."""

    def __init__(self, *, most: int = 1_000, most_bytes: int = 64 * 2**20) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._waiting: OrderedDict[int, tuple[PendingCall, int]] = OrderedDict()
        self._bytes = self._last = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def first(self) -> PendingCall | None:
        """Return what has waited longest."""
        return next(iter(self._waiting.values()))[0] if self._waiting else None

    def add(self, tool: str, arguments: dict[str, Any]) -> PendingCall:
        """Have a call wait.

        Raises:
            PendingFull: as many wait as may.
        """
        call = PendingCall(self._last + 1, tool, arguments)
        size = len(json.dumps(arguments).encode())
        if len(self) >= self._most or self._bytes + size > self._most_bytes:
            raise PendingFull(f"{len(self)} calls wait already")
        self._keep(call)
        self._hold(call, size)
        return call

    def done(self, call: PendingCall) -> None:
        """Forget a call that was answered."""
        self._drop(call)
        self._let_go(call)

    def refused(self, call: PendingCall) -> None:
        """Take out a call that the memory will never accept, so that those behind it are not held up."""
        self._set_aside(call)
        self._let_go(call)

    def close(self) -> None:
        """Let others use what this holds on to."""

    def _hold(self, call: PendingCall, size: int) -> None:
        self._waiting[call.id] = call, size
        self._bytes += size
        self._last = max(self._last, call.id)

    def _let_go(self, call: PendingCall) -> None:
        self._bytes -= self._waiting.pop(call.id)[1]

    def _keep(self, call: PendingCall) -> None:
        """Make a call outlast this process, where it shall."""

    def _drop(self, call: PendingCall) -> None:
        """Remove what `_keep` made."""

    def _set_aside(self, call: PendingCall) -> None:
        """Put what `_keep` made out of the way, for somebody to look at."""
