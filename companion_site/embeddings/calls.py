"""Asking an embedding service: how long to wait, whether to ask again, and when to leave it alone for a while."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import httpx2
import openai

from companion_site.embeddings.errors import (
    EmbeddingError,
    EmbeddingServiceUnavailable,
    EmbeddingsRejected,
    EmbeddingsUnusable,
)
from companion_site.llm.breaker import Breaker
from companion_site.llm.errors import ProviderUnavailable, RateLimited, RequestRejected
from companion_site.llm.limits import Limits
from companion_site.llm.retry import pause_before_retry
from companion_site.llm.sdk_errors import translated_errors

#: A question waits for a text's vector this long at the most, tries and pauses included; a batch some more for each text.
LIMITS = Limits(
    connect_s=3.0,
    total_s=8.0,
    attempts=3,
    attempts_after_timeout=1,
    backoff_s=0.3,
    backoff_max_s=2.0,
    retry_after_max_s=3.0,
    breaker_failures=3,
    breaker_open_s=20.0,
)
SECONDS_A_TEXT = 0.5
T = TypeVar("T")


class EmbeddingCalls:
    """The calls to one service; safe in any thread.

    A service that keeps failing is left alone, so that a turn waits for it a few times and then no more.
    """

    def __init__(
        self,
        *,
        limits: Limits = LIMITS,
        rng: random.Random | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits, self._sleep, self._clock = limits, sleep, clock
        self._rng = rng or random.Random()  # noqa: S311  it spreads pauses, and guards nothing
        self._breaker = Breaker(
            failures_to_open=limits.breaker_failures, open_s=limits.breaker_open_s, clock=clock
        )

    def ask(self, client: openai.OpenAI, asked: dict[str, Any], *, read: Callable[[Any], T]) -> T:
        """Return what `read` makes of the answer to one request for embeddings.

        Raises:
            EmbeddingServiceUnavailable: no answer in time, after what tries there is time for; or it is left alone.
            EmbeddingsRejected: it will not take the request.
            EmbeddingsUnusable: as `read` raises; the service is not asked again for the same.
        """
        texts: Sequence[str] = asked["input"]
        deadline = self._clock() + self._limits.total_s + SECONDS_A_TEXT * (len(texts) - 1)
        tries = 0
        while True:
            if not self._breaker.allow():
                raise EmbeddingServiceUnavailable
            tries += 1
            try:
                answer = self._once(client, asked, deadline - self._clock())
                made = read(answer)
            except ProviderUnavailable as error:
                self._tell(error)
                pause = pause_before_retry(error, tries=tries, limits=self._limits, rng=self._rng)
                if pause is None or self._clock() + pause >= deadline:
                    raise _as_embedding_error(error) from None
                self._sleep(pause)
            except EmbeddingsUnusable:
                # It answers, so it is there; that the answer is of no use is for people to mend.
                self._breaker.succeed()
                raise
            except BaseException:
                self._breaker.release()
                raise
            else:
                self._breaker.succeed()
                return made

    def _once(self, client: openai.OpenAI, asked: dict[str, Any], timeout_s: float) -> Any:
        patience = httpx2.Timeout(max(timeout_s, 0.1), connect=self._limits.connect_s)
        with translated_errors(openai):
            try:
                return client.embeddings.create(**asked, timeout=patience)
            except (ValueError, TypeError, AttributeError, OverflowError):
                # The SDK reads the answer itself, and raises what it happens upon; "no data" is a ValueError.
                raise EmbeddingsUnusable("form") from None

    def _tell(self, error: ProviderUnavailable) -> None:
        if isinstance(error, RateLimited):
            self._breaker.release()
        elif error.provider_at_fault:
            self._breaker.fail()
        else:
            self._breaker.succeed()


def _as_embedding_error(error: ProviderUnavailable) -> EmbeddingError:
    if isinstance(error, RequestRejected):
        return EmbeddingsRejected(status=error.status)
    return EmbeddingServiceUnavailable()
