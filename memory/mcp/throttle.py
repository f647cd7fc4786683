"""How often an agent may ask, counted in this process: enough for any agent at work, too little for a loop."""

import threading
from collections import deque
from uuid import UUID

from memory.mcp.errors import TooOften

#: Agents remembered; beyond it those that asked for nothing lately are forgotten.
_KNOWN = 10_000


class Throttle:
    """At most `most` times in any `within_s` seconds, for each agent."""

    def __init__(self, most: int, *, within_s: float = 60.0) -> None:
        self._most, self._within_s = most, within_s
        self._asked: dict[UUID, deque[float]] = {}
        self._lock = threading.Lock()

    def count(self, agent: UUID, *, clock_s: float) -> None:
        """Count one request.

        Args:
            clock_s: of a clock that only goes forward.

        Raises:
            TooOften: it is one too many; says when the next may come.
        """
        since = clock_s - self._within_s
        with self._lock:
            if len(self._asked) >= _KNOWN:
                self._asked = {known: asked for known, asked in self._asked.items() if asked[-1] > since}
            asked = self._asked.setdefault(agent, deque())
            while asked and asked[0] <= since:
                asked.popleft()
            if len(asked) >= self._most:
                raise TooOften(retry_after_s=asked[0] - since)
            asked.append(clock_s)
