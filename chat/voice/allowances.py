"""How often a person may ask for something, counted in this process: enough for anybody who speaks, too little for a loop."""

import threading
from collections import deque
from uuid import UUID

from chat.voice.errors import TooManyRequests

#: People remembered; beyond it those who asked for nothing lately are forgotten.
_KNOWN = 10_000


class Allowance:
    """At most `most` times in any `within_s` seconds."""

    def __init__(self, most: int, *, within_s: float = 60.0) -> None:
        self._most, self._within_s = most, within_s
        self._taken: dict[UUID, deque[float]] = {}
        self._lock = threading.Lock()

    def take(self, person: UUID, *, clock_s: float) -> None:
        """Count one request.

        Args:
            clock_s: of a clock that only goes forward.

        Raises:
            TooManyRequests: it is one too many; says when the next may come.
        """
        with self._lock:
            if len(self._taken) >= _KNOWN:
                self._forget(clock_s)
            taken = self._taken.setdefault(person, deque())
            while taken and taken[0] <= clock_s - self._within_s:
                taken.popleft()
            if len(taken) >= self._most:
                raise TooManyRequests(retry_after_s=taken[0] + self._within_s - clock_s)
            taken.append(clock_s)

    def _forget(self, clock_s: float) -> None:
        since = clock_s - self._within_s
        self._taken = {person: taken for person, taken in self._taken.items() if taken and taken[-1] > since}


#: Recordings; looks at a recording under way; sentences, of which a long reply has a hundred.
RECORDINGS = Allowance(30)
PARTIALS = Allowance(60)
SENTENCES = Allowance(240)
