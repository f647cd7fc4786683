"""What adapters of voice services stand on: calls with time-outs, a second try, a circuit breaker and a row for each.

Nothing that was sent or came back is logged, and a provider's error text, which may quote it, is never read.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, TypeVar, cast

import httpx2

from companion_site.llm.calls import Breaker, OpenCall, Tries, patience
from companion_site.llm.errors import ProviderTimeout, ProviderUnavailable, RequestRejected
from companion_site.llm.scrubbing.policy import is_on_this_machine
from companion_site.llm.sdks import (
    ClientPerLoop,
    for_status,
    silence_sdk_logs,
    translated_transport,
    trusted_authorities,
)
from companion_site.llm.services import keep_call
from companion_site.llm.types import CallRecord, Limits, LlmRole
from companion_site.voice.errors import (
    SpeechBrokeOff,
    VoiceProviderFailed,
    VoiceProviderRefused,
    VoiceProviderTooSlow,
)

Keep = Callable[[CallRecord], Awaitable[None]]
R = TypeVar("R")
#: The first token is a whole transcript, or the first sound of speech. Who was too slow is not asked again: somebody waits.
LIMITS = Limits(
    connect_s=3.0,
    first_token_s=15.0,
    between_tokens_s=10.0,
    total_s=20.0,
    attempts=2,
    attempts_after_timeout=1,
    backoff_s=0.3,
    retry_after_max_s=2.0,
)


class _Client(httpx2.AsyncClient):
    async def close(self) -> None:
        await self.aclose()


class VoiceService:
    """One service. Each call is kept under its name, its model and its purpose.

    Attributes:
        leaves_machine: whether what is sent goes elsewhere.
    """

    name: str
    purpose: str

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        headers: dict[str, str],
        keep: Keep = keep_call,
        limits: Limits = LIMITS,
    ) -> None:
        silence_sdk_logs()
        self.model, self.leaves_machine = model, not is_on_this_machine(base_url)
        self._keep, self._limits = keep, limits
        self._breaker = Breaker(limits)
        timeout = httpx2.Timeout(limits.first_token_s, connect=limits.connect_s)
        address = f"{base_url.rstrip('/')}/"
        self._clients = ClientPerLoop(
            lambda: _Client(base_url=address, headers=headers, timeout=timeout, verify=trusted_authorities())
        )

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        await self._clients.aclose()

    async def _trying(self, call: Callable[..., Awaitable[R]], path: str, **content: Any) -> R:
        """Call with `path` and what is posted there until it is answered, or until another try helps nobody; each leaves a row.

        Raises:
            VoiceProviderFailed: it answered nothing that can be read.
        """
        deadline = time.monotonic() + self._limits.total_s
        tries = Tries(breaker=self._breaker, deadline=deadline)
        failed = VoiceProviderFailed(retry_after_s=self._limits.breaker_open_s)
        while await tries.another():
            one = OpenCall(
                provider=self.name,
                model=self.model,
                role=cast(LlmRole, ""),  # no role of language models: it listens or speaks
                purpose=self.purpose,
                record=self._keep,
            )
            try:
                left_s = deadline - time.monotonic()
                async with tries.asking(one), patience(min(self._limits.first_token_s, left_s)):
                    return await call(path, content)
            except ProviderUnavailable as error:
                failed = _as_voice_error(error)
        raise failed

    async def _post(self, path: str, content: dict[str, Any]) -> Any:
        """Return the JSON that is answered."""
        with translated_transport():
            answer = await self._clients.get().post(path, **content)
            _check(answer)
            return answer.json()

    async def _open(self, path: str, content: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        """Return the bytes that are streamed, the first already there; while they are read it may raise SpeechBrokeOff."""
        with translated_transport():
            client = self._clients.get()
            answer = await client.send(client.build_request("POST", path, **content), stream=True)
            try:
                _check(answer)
                pieces = answer.aiter_bytes()
                first = await anext(pieces, b"")
                if not first:
                    raise ProviderUnavailable
            except BaseException:
                await answer.aclose()
                raise
        return self._stream(answer, first, pieces)

    async def _stream(self, answer: httpx2.Response, first: bytes, rest: Any) -> AsyncGenerator[bytes, None]:
        try:
            yield first
            while True:
                async with asyncio.timeout(self._limits.between_tokens_s):
                    piece = await anext(rest, None)
                if piece is None:
                    return
                yield piece
        except (httpx2.HTTPError, TimeoutError):
            raise SpeechBrokeOff() from None
        finally:
            await answer.aclose()


def _check(answer: httpx2.Response) -> None:
    if answer.status_code != 200:
        raise for_status(answer.status_code, answer.headers)


def _as_voice_error(error: ProviderUnavailable) -> VoiceProviderFailed:
    if isinstance(error, ProviderTimeout):
        return VoiceProviderTooSlow()
    if isinstance(error, RequestRejected):
        return VoiceProviderRefused()
    return VoiceProviderFailed(retry_after_s=error.retry_after_s)
