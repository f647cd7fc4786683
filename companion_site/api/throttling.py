"""How often a token may ask, counted in this process: a sliding minute for reading, for writing and for replies."""

import threading
from collections import deque
from uuid import UUID

from django.conf import settings

from companion_site.api.errors import TooManyCalls

WINDOW_S = 60.0
#: Tokens remembered of a kind; beyond it those that asked for nothing lately are forgotten.
KNOWN = 10_000


class Calls:
    """The calls of each token within the last minute."""

    def __init__(self) -> None:
        self._made: dict[UUID, deque[float]] = {}
        self._lock = threading.Lock()

    def count(self, token: UUID, *, most: int, clock_s: float) -> None:
        """Count one call.

        Args:
            clock_s: of a clock that only goes forward.

        Raises:
            TooManyCalls: it is one too many, and is not counted; says when the next may come.
        """
        with self._lock:
            if len(self._made) >= KNOWN:
                self._forget(clock_s)
            made = self._made.setdefault(token, deque())
            while made and made[0] <= clock_s - WINDOW_S:
                made.popleft()
            if len(made) >= most:
                raise TooManyCalls(retry_after_s=made[0] + WINDOW_S - clock_s)
            made.append(clock_s)

    def _forget(self, clock_s: float) -> None:
        since = clock_s - WINDOW_S
        self._made = {token: made for token, made in self._made.items() if made and made[-1] > since}


CALLS, REPLIES = Calls(), Calls()


def count_call(token: UUID, *, clock_s: float) -> None:
    """Count a request of any kind.

    Raises:
        TooManyCalls: see `Calls.count`.
    """
    CALLS.count(token, most=settings.API_CALLS_PER_MINUTE, clock_s=clock_s)


def count_reply(token: UUID, *, clock_s: float) -> None:
    """Count a request that a reply is written for, which costs more than any other.

    Raises:
        TooManyCalls: see `Calls.count`.
    """
    REPLIES.count(token, most=settings.API_REPLIES_PER_MINUTE, clock_s=clock_s)
