"""A circuit breaker: a provider that keeps failing is left alone for a while, then tried with one call."""

import threading
from collections.abc import Callable
from typing import Literal

from companion_site.llm.types import Limits

BreakerState = Literal["closed", "open", "half-open"]


class Breaker:
    """Closed lets every call through, open none, half-open one at a time until it is known how that went.

    Each `allow()` that returns True is followed by exactly one of `succeed`, `fail` or `release`. The lock is there
    because the web process and synchronous callers use one gateway from several threads.
    """

    def __init__(self, limits: Limits, *, clock: Callable[[], float]) -> None:
        self._limits, self._clock = limits, clock
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until: float | None = None
        self._probing = False

    @property
    def state(self) -> BreakerState:
        if self._open_until is None:
            return "closed"
        return "open" if self._clock() < self._open_until else "half-open"

    def allow(self) -> bool:
        """Return whether a call may go out now."""
        with self._lock:
            state = self.state
            if state == "half-open" and not self._probing:
                self._probing = True
                return True
            return state == "closed"

    def succeed(self) -> None:
        """Close: the provider answered."""
        with self._lock:
            self._failures, self._open_until, self._probing = 0, None, False

    def fail(self) -> None:
        """Count a failure; open when there were enough in a row, or when the probing call failed."""
        with self._lock:
            self._failures += 1
            self._probing = False
            if self._open_until is not None or self._failures >= self._limits.breaker_failures:
                self._open_until = self._clock() + self._limits.breaker_open_s

    def release(self) -> None:
        """Take back a call that says nothing about the provider, such as one the person stopped."""
        with self._lock:
            self._probing = False

    def trip(self, *, for_s: float) -> None:
        """Open at once, for as long as the provider asked to be left alone."""
        with self._lock:
            self._probing = False
            self._open_until = max(self._open_until or 0.0, self._clock() + for_s)
