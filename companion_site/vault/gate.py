"""The gate before every derivation of a key: a few at once, a short queue, and a plain answer to everybody else.

Argon2id takes 64 MiB for each derivation, on purpose. Without a bound, two hundred log-ins at once take two hundred times
that. The gate bounds what one process derives at once; a use case that derives several times takes one turn for all.

Who waits is let in by turns: each asker (a browser known here, or else an address) in its turn, so that a flood from one address
waits behind itself. Known browsers go before unknown ones, but for every fourth turn. Where the queue is full, the last of
whoever has most waiting is sent away, an unknown one before a known one.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from django.conf import settings

from companion_site.vault.errors import Busy

#: The longest wait for a turn.
PATIENCE_S = 20.0
#: Of so many turns in a row one is an unknown asker's, if any waits.
UNKNOWN_EVERY = 4
#: Whether this thread's work has its turn; what it derives within waits no more.
_has_turn: ContextVar[bool] = ContextVar("has_turn", default=False)


class _Waiting:
    """One thread in the queue; `let_in` is None while it waits."""

    def __init__(self, asker: str, *, known: bool) -> None:
        self.asker, self.known = asker, known
        self.let_in: bool | None = None
        self.told = threading.Event()

    def tell(self, *, let_in: bool) -> None:
        self.let_in = let_in
        self.told.set()


class Gate:
    """Turns for `at_once` threads, with a queue of `most_waiting`."""

    def __init__(self, *, at_once: int, most_waiting: int, patience_s: float | None = None) -> None:
        self._free, self._most_waiting = at_once, most_waiting
        self._patience_s = PATIENCE_S if patience_s is None else patience_s
        #: by whether they are known, and by asker, whose turn is next first
        self._queues: dict[bool, OrderedDict[str, deque[_Waiting]]] = {
            True: OrderedDict(),
            False: OrderedDict(),
        }
        self._known_in_a_row = 0
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return sum(len(line) for queue in self._queues.values() for line in queue.values())

    @contextmanager
    def turn(self, asker: str = "", *, known: bool = True) -> Iterator[None]:
        """Hold a turn for the block; inside another turn, go on at once.

        Args:
            asker: whose turn it is: what must not crowd out others. Work of the site's own has none.
            known: whether the asker has been let in before.

        Raises:
            Busy: too many wait already, or the wait was too long.
        """
        if _has_turn.get():
            yield
            return
        self._enter(_Waiting(asker, known=known))
        mark = _has_turn.set(True)
        try:
            yield
        finally:
            # First of all: whoever gave the block up without ending it ends it in another context, which knows no mark.
            with self._lock:
                self._free += 1
                self._let_in()
            _has_turn.reset(mark)

    def _enter(self, one: _Waiting) -> None:
        with self._lock:
            self._queues[one.known].setdefault(one.asker, deque()).append(one)
            self._let_in()
            if self.waiting > self._most_waiting:
                self._send_one_away()
        one.told.wait(self._patience_s)
        with self._lock:
            if one.let_in is None:
                self._remove(one)
        if not one.let_in:
            raise Busy()

    def _let_in(self) -> None:
        while self._free and (one := self._next()):
            self._free -= 1
            self._known_in_a_row = self._known_in_a_row + 1 if one.known else 0
            one.tell(let_in=True)

    def _next(self) -> _Waiting | None:
        """Take out whose turn it is: the first of the asker who has waited longest for one."""
        known, unknown = self._queues[True], self._queues[False]
        is_unknown_s = bool(unknown) and (not known or self._known_in_a_row >= UNKNOWN_EVERY - 1)
        queue = unknown if is_unknown_s else known
        if not queue:
            return None
        asker, line = next(iter(queue.items()))
        one = line.popleft()
        if line:
            queue.move_to_end(asker)
        else:
            del queue[asker]
        return one

    def _send_one_away(self) -> None:
        queue = self._queues[False] or self._queues[True]
        # Where several have as many waiting, it is the one whose turn is farthest off.
        one = max(reversed(queue.values()), key=len)[-1]
        self._remove(one)
        one.tell(let_in=False)

    def _remove(self, one: _Waiting) -> None:
        queue = self._queues[one.known]
        queue[one.asker].remove(one)
        if not queue[one.asker]:
            del queue[one.asker]


@cache
def derivation_gate() -> Gate:
    """Return the process's gate, as `DERIVATIONS_AT_ONCE` and `DERIVATIONS_WAITING` say."""
    return Gate(at_once=settings.DERIVATIONS_AT_ONCE, most_waiting=settings.DERIVATIONS_WAITING)
