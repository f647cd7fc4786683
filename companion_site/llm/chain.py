"""The gateway: providers in order, each with time-outs, retries and a breaker, and an answer at the end.

This is the one place that asks again; the SDKs' own retries are off.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence

from companion_site.llm.breaker import Breaker
from companion_site.llm.calls import OpenCall, Record, Tries
from companion_site.llm.extraction import Extraction
from companion_site.llm.protocol import Companion, Provider
from companion_site.llm.reply import Reply
from companion_site.llm.types import ChatRequest, Extracted, ExtractRequest, Limits, LlmRole, S


class Gateway:
    """Asks the providers in order and ends in the companion without a model.

    Args:
        providers: in the order in which they are asked.
        offline: answers when none of them did; without it their last error is raised.
        record: is handed a record of every call, content left out; it must not raise.
        rng, sleep, clock: for jitter, pauses and time.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        *,
        offline: Companion | None,
        limits: Limits | None = None,
        record: Record | None = None,
        rng: random.Random | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.providers = tuple(providers)
        self.offline = offline
        self.limits = limits or Limits()
        self.clock = clock
        self._record = record
        self._rng = rng or random.Random()  # noqa: S311 - jitter, not a secret
        self._sleep = sleep
        self.breakers = {provider.name: self._make_breaker() for provider in self.providers}

    def stream(self, request: ChatRequest, *, role: LlmRole = "chat", purpose: str = "chat.reply") -> Reply:
        """Return a reply to iterate over.

        Iterating raises:
            TokenCeilingPassed: the request is too large; nothing was sent.
            StreamInterrupted: it broke off after text was given out.
            ModelRefused: the model declined.
            ProviderUnavailable, MalformedOutput: no provider answered, and there is no `offline`.
        """
        return Reply(self, request, role=role, purpose=purpose)

    async def extract(
        self,
        schema: type[S],
        *,
        instructions: str,
        data: str,
        role: LlmRole = "fast",
        purpose: str = "extract",
        offline: Callable[[], S | Awaitable[S]] | None = None,
        max_tokens: int = 2048,
    ) -> Extracted[S]:
        """Return `data` read into `schema`.

        Args:
            instructions: our own text, for the system role.
            data: what to read, from whomever; it is delimited and never an instruction.
            offline: does the same without a model, when no provider could.

        Raises:
            TokenCeilingPassed: the request is too large; nothing was sent.
            ModelRefused: the model declined.
            ProviderUnavailable, MalformedOutput: no provider could, and there is no `offline`.
        """
        request = ExtractRequest(
            schema=schema, instructions=instructions, data=data, role=role, max_tokens=max_tokens
        )
        return await Extraction(self, request, purpose=purpose, offline=offline).run()

    def tries(self, provider: Provider, *, deadline: float) -> Tries:
        """Return the tries `provider` gets until `deadline`, a time of `clock`."""
        return Tries(
            breaker=self.breakers[provider.name],
            limits=self.limits,
            rng=self._rng,
            sleep=self._sleep,
            clock=self.clock,
            deadline=deadline,
        )

    def open_call(self, provider: str, model: str, *, role: LlmRole, purpose: str) -> OpenCall:
        """Return a new call to measure and record."""
        return OpenCall(
            provider=provider, model=model, role=role, purpose=purpose, clock=self.clock, record=self._record
        )

    async def aclose(self) -> None:
        """Close the running event loop's connections, at the end of a process or of a synchronous caller's loop."""
        for provider in self.providers:
            await provider.aclose()

    def _make_breaker(self) -> Breaker:
        return Breaker(
            failures_to_open=self.limits.breaker_failures, open_s=self.limits.breaker_open_s, clock=self.clock
        )
