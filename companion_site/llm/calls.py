"""One call to a provider: what it costs, how long it takes, how it ends, and whether and when it is made again."""

import asyncio
import inspect
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from companion_site.llm.breaker import Breaker
from companion_site.llm.errors import (
    LanguageModelError,
    MalformedOutput,
    ProviderTimeout,
    ProviderUnavailable,
    RateLimited,
)
from companion_site.llm.tokens import estimate_tokens
from companion_site.llm.types import CallRecord, Limits, LlmRole, Meter, Outcome

Record = Callable[[CallRecord], Awaitable[None] | None]


@dataclass(kw_only=True)
class OpenCall:
    """Measures one call and hands the finished record, which holds no content, to `record`."""

    provider: str
    model: str
    role: LlmRole
    purpose: str
    clock: Callable[[], float]
    record: Record | None
    meter: Meter = field(default_factory=Meter)
    outcome: Outcome = Outcome.INTERRUPTED
    _first_token_ms: int | None = None
    _tokens_given: int = 0

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def has_given_text(self) -> bool:
        return self._first_token_ms is not None

    def note_text(self, text: str) -> None:
        """Take note that `text` was given out."""
        if self._first_token_ms is None:
            self._first_token_ms = self._elapsed_ms()
        self._tokens_given += estimate_tokens(text)

    async def close(self) -> CallRecord:
        """Record the call as it stands; a call that nobody said the end of was interrupted by the caller."""
        call = CallRecord(
            provider=self.provider,
            model=self.model,
            role=self.role,
            purpose=self.purpose,
            outcome=self.outcome,
            input_tokens=self.meter.input_tokens,
            output_tokens=self._output_tokens(),
            cached_tokens=self.meter.cached_tokens,
            duration_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
        )
        if self.record is not None:
            recorded = self.record(call)
            if inspect.isawaitable(recorded):
                await recorded
        return call

    def _output_tokens(self) -> int:
        """Providers count at the end of a stream; one that broke off is counted by estimate."""
        if self.outcome == Outcome.INTERRUPTED:
            return max(self.meter.output_tokens, self._tokens_given)
        return self.meter.output_tokens

    def _elapsed_ms(self) -> int:
        return round((self.clock() - self._began) * 1000)


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
    asked = error.retry_after_s if isinstance(error, RateLimited) else None
    if asked is None:
        return pause
    return max(asked, pause) if asked <= limits.retry_after_max_s else None


#: A provider may not shut itself out for longer than this by asking to be left alone.
_LEFT_ALONE_MAX_S = 300.0


@dataclass(kw_only=True)
class Tries:
    """Decides whether the provider is asked again, waits before it, and keeps its breaker informed.

    After each `another()` that returns True the caller says how the try went: `succeeded`, `failed`, or `released`
    when it says nothing about the provider. A second word about the same try is ignored.
    """

    breaker: Breaker
    limits: Limits
    rng: random.Random
    clock: Callable[[], float]
    deadline: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _tries: int = 0
    _pause: float | None = 0.0
    _repaired: bool = False
    _under_way: bool = False

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

    def succeeded(self) -> None:
        self._tell(self.breaker.succeed)

    def released(self) -> None:
        self._tell(self.breaker.release)

    def failed(self, error: LanguageModelError) -> None:
        """Take note of a failure: the breaker hears of it, and the pause before the next try, if any, is set."""
        self._tell(lambda: self._inform_breaker(error))
        if isinstance(error, MalformedOutput):
            self._pause = 0.0 if error.repair is not None and not self._repaired else None
            self._repaired = True
        elif isinstance(error, ProviderUnavailable):
            self._pause = pause_before_retry(error, tries=self._tries, limits=self.limits, rng=self.rng)
        else:
            self._pause = None

    def _is_over(self) -> bool:
        return self._pause is None or self.clock() + self._pause >= self.deadline

    def _begin(self) -> bool:
        self._under_way = self.breaker.allow()
        self._tries += self._under_way
        return self._under_way

    def _tell(self, say: Callable[[], None]) -> None:
        if self._under_way:
            self._under_way = False
            say()

    def _inform_breaker(self, error: LanguageModelError) -> None:
        if isinstance(error, RateLimited):
            if error.retry_after_s is not None and error.retry_after_s > self.limits.retry_after_max_s:
                self.breaker.trip(for_s=min(error.retry_after_s, _LEFT_ALONE_MAX_S))
            else:
                self.breaker.release()
        elif isinstance(error, ProviderUnavailable) and error.provider_at_fault:
            self.breaker.fail()
        else:
            self.breaker.succeed()
