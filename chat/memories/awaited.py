"""What an open page has yet to be told: which of its messages have been remembered.

The notice of it (chat/notices.py) may be lost, so the database is asked as well: less and less often, and not at all
while nothing waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from uuid import UUID

from chat.access import ChatAccess
from chat.memories.formation import find_settled
from chat.threads import DATABASE_LOST, in_thread

FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 60.0
#: So many messages are asked for at once, the newest: what a page names is not bounded by what was said.
MOST = 100
TASK = "awaited"


class Awaited:
    """The messages of one open page that memories are still to be formed from."""

    def __init__(self, access: ChatAccess, tell: Callable[[UUID, int], Awaitable[None]]) -> None:
        self._space = access.space
        self._forms = access.remembers
        self._tell = tell
        self._waiting: set[UUID] = set()
        self._asking: asyncio.Task[None] | None = None

    def add(self, messages: Iterable[UUID]) -> None:
        """Ask for these too, soon and then ever more seldom, unless their notice comes first."""
        if not self._forms:
            return
        # Ids sort by time.
        self._waiting = set(sorted(self._waiting.union(messages))[-MOST:])
        self.end()
        if self._waiting:
            self._asking = asyncio.create_task(self._ask(), name=TASK)

    def settle(self, message: UUID) -> None:
        """Ask no more for a message whose notice has come."""
        self._waiting.discard(message)
        if not self._waiting:
            self.end()

    def end(self) -> None:
        """Ask for nothing any more."""
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> None:
        pause = FIRST_PAUSE_S
        while self._waiting:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            try:
                settled = await in_thread(find_settled, self._space, frozenset(self._waiting))
            except DATABASE_LOST:
                continue
            for message, count in settled.items():
                await self._tell(message, count)
                self._waiting.discard(message)
