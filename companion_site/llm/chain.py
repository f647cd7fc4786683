"""The gateway: providers in order, each with time-outs, retries and a breaker, and an answer at the end.

This is the one place that asks again; the SDKs' own retries are off.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence

from companion_site.llm.calls import Breaker, OpenCall, Record, Tries, patience
from companion_site.llm.dialogue import DATA_RULE, wrap_data
from companion_site.llm.errors import LanguageModelError, MalformedOutput, ProviderUnavailable
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.reply import Reply
from companion_site.llm.tokens import check_ceiling
from companion_site.llm.types import (
    ChatRequest,
    Extracted,
    ExtractRequest,
    Limits,
    LlmRole,
    Repair,
    S,
)


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
        offline: OfflineCompanion | None,
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
        self.breakers = {one.name: Breaker(self.limits, clock=clock) for one in self.providers}

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
        purpose: str = "extract",
        max_tokens: int = 2048,
    ) -> Extracted[S]:
        """Return `data` read into `schema` by the fast models.

        Args:
            instructions: our own text, for the system role.
            data: what to read, from whomever; it is delimited and never an instruction.

        Raises:
            TokenCeilingPassed: the request is too large; nothing was sent.
            ModelRefused: the model declined.
            ProviderUnavailable, MalformedOutput: no provider could.
        """
        request = ExtractRequest(schema=schema, instructions=instructions, data=data, max_tokens=max_tokens)
        texts = [instructions, DATA_RULE, wrap_data(data)]
        check_ceiling(texts, ceiling=self.limits.max_input_tokens)
        deadline = self.clock() + self.limits.total_s
        last_error: LanguageModelError = ProviderUnavailable()
        for provider in self.providers:
            repair, tries = None, self.tries(provider, deadline=deadline)
            while await tries.another():
                call = self.open_call(provider.name, provider.model_for("fast"), role="fast", purpose=purpose)
                try:
                    return await self._read(provider, request, call, tries, repair=repair, deadline=deadline)
                except ProviderUnavailable as error:
                    last_error = error
                except MalformedOutput as error:
                    # What the model wrote is content: it stays here, the error that may leave does not carry it.
                    repair, last_error = error.repair, MalformedOutput()
                    last_error.provider, last_error.model = error.provider, error.model
        raise last_error

    async def _read(
        self,
        provider: Provider,
        request: ExtractRequest[S],
        call: OpenCall,
        tries: Tries,
        *,
        repair: Repair | None,
        deadline: float,
    ) -> Extracted[S]:
        """Ask one provider once, within the time that is left."""
        try:
            async with tries.asking(call), patience(min(self.limits.extract_s, deadline - self.clock())):
                value = await provider.extract(request, meter=call.meter, repair=repair)
        except LanguageModelError as error:
            error.provider, error.model = call.provider, call.model
            raise
        used = {"input_tokens": call.meter.input_tokens, "output_tokens": call.meter.output_tokens}
        return Extracted(value, call.provider, call.model, **used)

    def tries(self, provider: Provider, *, deadline: float) -> Tries:
        """Return the tries `provider` gets until `deadline`, a time of `clock`."""
        return Tries(
            breaker=self.breakers[provider.name], deadline=deadline, rng=self._rng, sleep=self._sleep
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
