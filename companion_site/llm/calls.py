"""One call to a provider: what it costs, how long it takes, how it ends, and whether and when it is made again."""

import asyncio
import inspect
import random
import time
from collections.abc import Awaitable, Callable

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


class OpenCall:
    """Measures one call and hands the finished record, which holds no content, to `record`."""

    def __init__(
        self,
        *,
        provider: str,
        model: str,
        role: LlmRole,
        purpose: str,
        clock: Callable[[], float],
        record: Record | None,
    ) -> None:
        self.meter = Meter()
        self.outcome = Outcome.INTERRUPTED
        self.has_given_text = False
        self.provider, self.model, self._role, self._purpose = provider, model, role, purpose
        self._clock, self._record = clock, record
        self._began = clock()
        self._first_token_ms: int | None = None
        self._tokens_given = 0

    def note_text(self, text: str) -> None:
        """Take note that `text` was given out."""
        if not self.has_given_text:
            self.has_given_text = True
            self._first_token_ms = self._elapsed_ms()
        self._tokens_given += estimate_tokens(text)

    async def close(self) -> CallRecord:
        """Record the call as it stands; a call that nobody said the end of was interrupted by the caller."""
        call = CallRecord(
            provider=self.provider,
            model=self.model,
            role=self._role,
            purpose=self._purpose,
            outcome=self.outcome,
            input_tokens=self.meter.input_tokens,
            output_tokens=self._output_tokens(),
            cached_tokens=self.meter.cached_tokens,
            duration_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
        )
        if self._record is not None:
            recorded = self._record(call)
            if inspect.isawaitable(recorded):
                await recorded
        return call

    def _output_tokens(self) -> int:
        """Providers count at the end of a stream; one that broke off is counted by estimate."""
        if self.outcome == Outcome.INTERRUPTED:
            return max(self.meter.output_tokens, self._tokens_given)
        return self.meter.output_tokens

    def _elapsed_ms(self) -> int:
        return round((self._clock() - self._began) * 1000)


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


class Tries:
    """Decides whether the provider is asked again, waits before it, and keeps its breaker informed.

    After each `another()` that returns True the caller says how the try went: `succeeded`, `failed`, or `released`
    when it says nothing about the provider. A second word about the same try is ignored.
    """

    def __init__(
        self,
        *,
        breaker: Breaker,
        limits: Limits,
        rng: random.Random,
        clock: Callable[[], float],
        deadline: float,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._breaker, self._limits, self._rng = breaker, limits, rng
        self._clock, self._deadline, self._sleep = clock, deadline, sleep
        self._tries = 0
        self._pause: float | None = 0.0
        self._repaired = False
        self._under_way = False

    async def another(self) -> bool:
        """Wait as long as needed and return whether the provider may be asked now."""
        if self._is_over():
            return False
        if self._pause:
            await self._sleep(self._pause)
        return self._begin()

    def another_in_thread(self) -> bool:
        """Do the same on a thread without an event loop."""
        if self._is_over():
            return False
        time.sleep(self._pause or 0.0)
        return self._begin()

    def succeeded(self) -> None:
        self._tell(self._breaker.succeed)

    def released(self) -> None:
        self._tell(self._breaker.release)

    def failed(self, error: LanguageModelError) -> None:
        """Take note of a failure: the breaker hears of it, and the pause before the next try, if any, is set."""
        self._tell(lambda: self._inform_breaker(error))
        if isinstance(error, MalformedOutput):
            self._pause = 0.0 if error.repair is not None and not self._repaired else None
            self._repaired = True
        elif isinstance(error, ProviderUnavailable):
            self._pause = pause_before_retry(error, tries=self._tries, limits=self._limits, rng=self._rng)
        else:
            self._pause = None

    def _is_over(self) -> bool:
        return self._pause is None or self._clock() + self._pause >= self._deadline

    def _begin(self) -> bool:
        self._under_way = self._breaker.allow()
        self._tries += self._under_way
        return self._under_way

    def _tell(self, say: Callable[[], None]) -> None:
        if self._under_way:
            self._under_way = False
            say()

    def _inform_breaker(self, error: LanguageModelError) -> None:
        if isinstance(error, RateLimited):
            if error.retry_after_s is not None and error.retry_after_s > self._limits.retry_after_max_s:
                self._breaker.trip(for_s=min(error.retry_after_s, _LEFT_ALONE_MAX_S))
            else:
                self._breaker.release()
        elif isinstance(error, ProviderUnavailable) and error.provider_at_fault:
            self._breaker.fail()
        else:
            self._breaker.succeed()
