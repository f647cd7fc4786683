"""How much of the processor one message may have while its memories form, so that no text keeps the others waiting.

Counted in the thread's own processor time: what waits for a model or the database costs nobody anything.
"""

from collections.abc import Callable
from time import thread_time


class Allowance:
    """Processor time for one message, from when this is made.

    Attributes:
        unread_from: the first character that was not read for want of time; None where all was.
    """

    def __init__(self, most_s: float, *, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._until = clock() + most_s
        self.unread_from: int | None = None

    @property
    def is_spent(self) -> bool:
        return self._clock() >= self._until
