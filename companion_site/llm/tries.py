"""The tries that one provider gets within one call."""

import random
from collections.abc import Awaitable, Callable

from companion_site.llm.breaker import Breaker
from companion_site.llm.errors import LanguageModelError, MalformedOutput, ProviderUnavailable, RateLimited
from companion_site.llm.limits import Limits
from companion_site.llm.retry import pause_before_retry

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
        sleep: Callable[[float], Awaitable[None]],
        clock: Callable[[], float],
        deadline: float,
    ) -> None:
        self._breaker, self._limits, self._rng = breaker, limits, rng
        self._sleep, self._clock, self._deadline = sleep, clock, deadline
        self._tries = 0
        self._pause: float | None = 0.0
        self._repaired = False
        self._under_way = False

    async def another(self) -> bool:
        """Wait as long as needed and return whether the provider may be asked now."""
        if self._pause is None or self._clock() + self._pause >= self._deadline:
            return False
        if self._pause:
            await self._sleep(self._pause)
        self._under_way = self._breaker.allow()
        self._tries += self._under_way
        return self._under_way

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
