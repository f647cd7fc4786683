"""Calls to a provider of voice: one door with time-outs, a second try, a circuit breaker and a row for each call.

Nothing that was sent or came back is logged, and a provider's error text, which may quote it, is never read.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import httpx2

from companion_site.llm.breaker import Breaker
from companion_site.llm.sdks import ClientPerLoop, read_retry_after, silence_sdk_logs
from companion_site.llm.types import CallRecord, LlmRole, Outcome
from companion_site.voice.errors import (
    SpeechBrokeOff,
    VoiceProviderFailed,
    VoiceProviderRefused,
    VoiceProviderTooSlow,
)

Keep = Callable[[CallRecord], Awaitable[None]]
R = TypeVar("R")
#: Statuses that speak of the provider or its key and not of this one request.
_AT_FAULT = {401, 402, 403, 404}


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """Bounds of one call to a provider; times in seconds.

    Attributes:
        connect_s: to open a connection.
        answer_s: to a whole transcript, or the first sound of speech.
        between_s: between two pieces of speech.
        total_s: over all tries, pauses among them.
        attempts: tries, the first included; a provider that was too slow is not asked again.
        backoff_s: pause before the second try, doubled before each further one.
        retry_after_max_s: the longest pause that a provider may ask for.
        breaker_failures: failures in a row after which it is left alone.
        breaker_open_s: for how long.
    """

    connect_s: float = 3.0
    answer_s: float = 15.0
    between_s: float = 10.0
    total_s: float = 20.0
    attempts: int = 2
    backoff_s: float = 0.3
    retry_after_max_s: float = 2.0
    breaker_failures: int = 5
    breaker_open_s: float = 30.0


class _Client(httpx2.AsyncClient):
    async def close(self) -> None:
        await self.aclose()


@dataclass(frozen=True, kw_only=True)
class Service:
    """Who is called, and under which name each call is kept."""

    provider: str
    model: str
    purpose: str
    base_url: str
    headers: dict[str, str]


class VoiceCalls:
    """Calls to one service."""

    def __init__(self, service: Service, *, keep: Keep, limits: CallLimits | None = None) -> None:
        silence_sdk_logs()
        self._service, self._keep = service, keep
        self._limits = bounds = limits or CallLimits()
        self._breaker = Breaker(
            failures_to_open=bounds.breaker_failures, open_s=bounds.breaker_open_s, clock=time.monotonic
        )
        timeout = httpx2.Timeout(bounds.answer_s, connect=bounds.connect_s)
        self._clients = ClientPerLoop(
            lambda: _Client(
                base_url=f"{service.base_url.rstrip('/')}/", headers=service.headers, timeout=timeout
            )
        )

    async def ask(self, path: str, **content: Any) -> Any:
        """Return the JSON that `path` answers to a POST.

        Raises:
            VoiceProviderFailed: it answered nothing that can be read.
        """
        return await self._trying(lambda: self._ask(path, content))

    async def open_stream(self, path: str, **content: Any) -> AsyncGenerator[bytes, None]:
        """Return the bytes that `path` streams in answer to a POST, the first of them already there.

        Raises:
            VoiceProviderFailed: it sent nothing. While they are read, SpeechBrokeOff.
        """
        return await self._trying(lambda: self._open(path, content))

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        await self._clients.aclose()

    async def _trying(self, call: Callable[[], Awaitable[R]]) -> R:
        """Call until it is answered, or until another try helps nobody; each try leaves a row."""
        ends = time.monotonic() + self._limits.total_s
        for tries in range(1, self._limits.attempts + 1):
            try:
                return await self._once(call, ends=ends)
            except VoiceProviderFailed as error:
                pause = self._pause(error, tries=tries, left_s=ends - time.monotonic())
                if pause is None:
                    raise
            await asyncio.sleep(pause)
        raise VoiceProviderFailed()

    async def _once(self, call: Callable[[], Awaitable[R]], *, ends: float) -> R:
        if not self._breaker.allow():
            raise VoiceProviderFailed(retry_after_s=self._limits.breaker_open_s)
        began, outcome = time.monotonic(), Outcome.INTERRUPTED
        try:
            async with asyncio.timeout(min(self._limits.answer_s, max(ends - began, 0.0))):
                answer = await call()
        except TimeoutError:
            outcome = Outcome.TIMEOUT
            self._breaker.fail()
            raise VoiceProviderTooSlow() from None
        except VoiceProviderFailed as error:
            outcome = _outcome_of(error)
            self._note(error)
            raise
        except BaseException:
            self._breaker.release()
            raise
        else:
            outcome = Outcome.OK
            self._breaker.succeed()
            return answer
        finally:
            await self._keep(self._record(outcome, began=began))

    async def _ask(self, path: str, content: dict[str, Any]) -> Any:
        with _translated():
            answer = await self._clients.get().post(path, **content)
            _check(answer)
            return answer.json()

    async def _open(self, path: str, content: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        with _translated():
            client = self._clients.get()
            answer = await client.send(client.build_request("POST", path, **content), stream=True)
            try:
                _check(answer)
                pieces = answer.aiter_bytes()
                first = await anext(pieces, b"")
                if not first:
                    raise VoiceProviderFailed()
            except BaseException:
                await answer.aclose()
                raise
        return self._stream(answer, first, pieces)

    async def _stream(self, answer: httpx2.Response, first: bytes, rest: Any) -> AsyncGenerator[bytes, None]:
        try:
            yield first
            while True:
                async with asyncio.timeout(self._limits.between_s):
                    piece = await anext(rest, None)
                if piece is None:
                    return
                yield piece
        except (httpx2.HTTPError, TimeoutError):
            raise SpeechBrokeOff() from None
        finally:
            await answer.aclose()

    def _note(self, error: VoiceProviderFailed) -> None:
        """Tell the breaker; a request that is refused for itself says nothing about the provider."""
        if isinstance(error, VoiceProviderRefused) and error.http_status not in _AT_FAULT:
            self._breaker.release()
        else:
            self._breaker.fail()

    def _pause(self, error: VoiceProviderFailed, *, tries: int, left_s: float) -> float | None:
        if not error.transient or tries >= self._limits.attempts or self._breaker.state == "open":
            return None
        asked = error.retry_after_s or 0.0
        pause = max(asked, self._limits.backoff_s * 2.0 ** (tries - 1) * random.uniform(0.5, 1.0))  # noqa: S311
        return pause if asked <= self._limits.retry_after_max_s and pause < left_s else None

    def _record(self, outcome: Outcome, *, began: float) -> CallRecord:
        return CallRecord(
            provider=self._service.provider,
            model=self._service.model,
            role=cast(LlmRole, ""),  # no role of language models: it listens or speaks
            purpose=self._service.purpose,
            outcome=outcome,
            input_tokens=0,
            output_tokens=0,
            cached_tokens=0,
            duration_ms=round((time.monotonic() - began) * 1000),
            first_token_ms=None,
        )


@contextmanager
def _translated() -> Iterator[None]:
    """Turn what the transport raises into a `VoiceProviderFailed`."""
    try:
        yield
    except httpx2.TimeoutException:
        raise VoiceProviderTooSlow() from None
    except (httpx2.HTTPError, ValueError):
        # The second: an answer that is no JSON.
        raise VoiceProviderFailed() from None


def _check(answer: httpx2.Response) -> None:
    status = answer.status_code
    if status == 200:
        return
    if status == 429:
        raise VoiceProviderFailed(http_status=status, retry_after_s=read_retry_after(answer.headers))
    if status in {408, 504}:
        raise VoiceProviderTooSlow(http_status=status)
    if 400 <= status < 500:
        raise VoiceProviderRefused(http_status=status)
    raise VoiceProviderFailed(http_status=status)


def _outcome_of(error: VoiceProviderFailed) -> Outcome:
    if error.http_status == 429:
        return Outcome.RATE_LIMITED
    return Outcome.TIMEOUT if isinstance(error, VoiceProviderTooSlow) else Outcome.UNAVAILABLE
