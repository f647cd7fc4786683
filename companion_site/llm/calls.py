"""One call to a provider: what it costs, how long it takes, how it ends, and whether and when it is made again.

A provider that keeps failing is left alone for a while, then tried with one call: a circuit breaker.
"""

import asyncio
import inspect
import random
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from companion_site.llm.errors import (
    LanguageModelError,
    MalformedOutput,
    ProviderTimeout,
    ProviderUnavailable,
    RateLimited,
    StreamInterrupted,
)
from companion_site.llm.tokens import estimate_tokens
from companion_site.llm.types import CallRecord, Limits, Outcome

Record = Callable[[CallRecord], Awaitable[None] | None]


class OpenCall(CallRecord):
    """Measures one call and hands it, when it has ended, to `record`."""

    def __init__(
        self, *, record: Record | None, clock: Callable[[], float] = time.monotonic, **labels: Any
    ) -> None:
        super().__init__(**labels)
        self._record, self._clock = record, clock
        self._began, self._tokens_given = clock(), 0

    @property
    def has_given_text(self) -> bool:
        return self.first_token_ms is not None

    def note_text(self, text: str) -> None:
        """Take note that `text` was given out."""
        if self.first_token_ms is None:
            self.first_token_ms = self._elapsed_ms()
        self._tokens_given += estimate_tokens(text)

    async def close(self) -> None:
        """Record the call as it stands; providers count at the end of a stream, so one that broke off is counted by estimate."""
        if self._record is None:
            return
        if self.outcome == Outcome.INTERRUPTED:
            self.output_tokens = max(self.output_tokens, self._tokens_given)
        self.duration_ms = self._elapsed_ms()
        recorded = self._record(self)
        if inspect.isawaitable(recorded):
            await recorded

    def _elapsed_ms(self) -> int:
        return round((self._clock() - self._began) * 1000)


BreakerState = Literal["closed", "open", "half-open"]


class Breaker:
    """Closed lets every call through, open none, half-open one at a time until it is known how that went.

    Each `allow()` that returns True is followed by exactly one of `succeed`, `fail` or `release`. The lock is there
    because the web process and synchronous callers use one gateway from several threads.
    """

    def __init__(self, limits: Limits, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self.clock = limits, clock
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until: float | None = None
        self._probing = False

    @property
    def state(self) -> BreakerState:
        if self._open_until is None:
            return "closed"
        return "open" if self.clock() < self._open_until else "half-open"

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
            if self._open_until is not None or self._failures >= self.limits.breaker_failures:
                self._open_until = self.clock() + self.limits.breaker_open_s

    def release(self) -> None:
        """Take back a call that says nothing about the provider, such as one the person stopped."""
        with self._lock:
            self._probing = False

    def trip(self, *, for_s: float) -> None:
        """Open at once, for as long as the provider asked to be left alone."""
        with self._lock:
            self._probing = False
            self._open_until = max(self._open_until or 0.0, self.clock() + for_s)


@asynccontextmanager
async def patience(seconds: float) -> AsyncIterator[None]:
    """Wait so long for the block and no longer. Raises ProviderTimeout."""
    try:
        async with asyncio.timeout(max(seconds, 0.0)):
            yield
    except TimeoutError:
        raise ProviderTimeout from None


def pause_before_retry(
    error: ProviderUnavailable, *, tries: int, limits: Limits, rng: random.Random
) -> float | None:
    """Return the seconds to wait before asking again, or None to ask someone else.

    The pause doubles with each try and is drawn between half and all of itself, so that many requests that failed
    together do not come back together. A provider that names a time is given that time, if it is short.

    Args:
        tries: how often this provider has been asked already, 1 or more.
    """
    allowed = limits.attempts_after_timeout if isinstance(error, ProviderTimeout) else limits.attempts
    if not error.transient or tries >= allowed:
        return None
    pause: float = min(limits.backoff_s * 2.0 ** (tries - 1), limits.backoff_max_s) * rng.uniform(0.5, 1.0)
    asked = error.retry_after_s
    if asked is None:
        return pause
    return max(asked, pause) if asked <= limits.retry_after_max_s else None


#: A provider may not shut itself out for longer than this by asking to be left alone.
_LEFT_ALONE_MAX_S = 300.0


@dataclass(kw_only=True)
class Tries:
    """Decides whether the provider is asked again, waits before it, and keeps its breaker informed.

    After each `another()` that returns True the provider is asked within `asking` or `telling`, once.
    """

    breaker: Breaker
    deadline: float
    rng: random.Random = field(default_factory=random.Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _tries: int = 0
    _pause: float | None = 0.0
    _repaired: bool = False

    async def another(self) -> bool:
        """Wait as long as needed and return whether the provider may be asked now."""
        if self._is_over():
            return False
        if self._pause:
            await self.sleep(self._pause)
        return self._begin()

    def another_in_thread(self) -> bool:
        """Do the same on a thread without an event loop."""
        if self._is_over():
            return False
        time.sleep(self._pause or 0.0)
        return self._begin()

    @asynccontextmanager
    async def asking(self, call: OpenCall) -> AsyncIterator[None]:
        """Ask once in the block, and say how it went: here, and in the record of the call.

        Raises:
            StreamInterrupted: the provider failed after text was given out.
        """
        try:
            with self.telling():
                yield
            call.outcome = Outcome.OK
        except LanguageModelError as error:
            if call.has_given_text and isinstance(error, ProviderUnavailable):
                raise StreamInterrupted from None
            call.outcome = error.outcome
            raise
        finally:
            await call.close()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Ask once in the block; what ends it otherwise than by an answer or an error of ours says nothing about the provider."""
        try:
            yield
        except LanguageModelError as error:
            self._note_failure(error)
            raise
        except BaseException:
            self.breaker.release()
            raise
        self.breaker.succeed()

    def _note_failure(self, error: LanguageModelError) -> None:
        """Inform the breaker, and set the pause before the next try, if any."""
        self._inform_breaker(error)
        if isinstance(error, MalformedOutput):
            self._pause = 0.0 if error.repair is not None and not self._repaired else None
            self._repaired = True
        elif isinstance(error, ProviderUnavailable):
            self._pause = pause_before_retry(
                error, tries=self._tries, limits=self.breaker.limits, rng=self.rng
            )
        else:
            self._pause = None

    def _is_over(self) -> bool:
        return self._pause is None or self.breaker.clock() + self._pause >= self.deadline

    def _begin(self) -> bool:
        allowed = self.breaker.allow()
        self._tries += allowed
        return allowed

    def _inform_breaker(self, error: LanguageModelError) -> None:
        if isinstance(error, RateLimited):
            if (
                error.retry_after_s is not None
                and error.retry_after_s > self.breaker.limits.retry_after_max_s
            ):
                self.breaker.trip(for_s=min(error.retry_after_s, _LEFT_ALONE_MAX_S))
            else:
                self.breaker.release()
        elif isinstance(error, ProviderUnavailable) and error.provider_at_fault:
            self.breaker.fail()
        else:
            self.breaker.succeed()
