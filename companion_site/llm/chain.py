"""The gateway: providers in order, each with time-outs, retries and a breaker, and an answer at the end; and one reply on its way from them.

This is the one place that asks again; the SDKs' own retries are off.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Self

from companion_site.llm.calls import Breaker, OpenCall, Record, Tries, patience
from companion_site.llm.dialogue import DATA_RULE, wrap_data
from companion_site.llm.errors import LanguageModelError, MalformedOutput, ProviderUnavailable, ReplyTooLong
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.tokens import BYTES_PER_TOKEN, check_ceiling, count_pictures, texts_of
from companion_site.llm.types import (
    ChatRequest,
    Extracted,
    ExtractRequest,
    Limits,
    LlmRole,
    Outcome,
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

    def stream(self, request: ChatRequest, *, role: LlmRole = "chat", purpose: str = "chat.reply") -> "Reply":
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
            repair: Repair | None = None
            tries = self.tries(provider, deadline=deadline)
            while await tries.another():
                call = self.open_call(provider.name, provider.model_for("fast"), role="fast", purpose=purpose)
                patience_s = min(self.limits.extract_s, deadline - self.clock())
                try:
                    async with tries.asking(call), patience(patience_s):
                        value = await provider.extract(request, meter=call, repair=repair)
                except LanguageModelError as error:
                    last_error = error
                    if isinstance(error, MalformedOutput):
                        # What the model wrote is content: it stays here, the error that may leave does not carry it.
                        repair, last_error = error.repair, MalformedOutput()
                    last_error.provider, last_error.model = call.provider, call.model
                    if not isinstance(error, ProviderUnavailable | MalformedOutput):
                        raise
                else:
                    return Extracted(value, call.provider, call.model, call.input_tokens, call.output_tokens)
        raise last_error

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


async def keep_pace(
    pieces: AsyncGenerator[str, None], *, limits: Limits, clock: Callable[[], float], deadline: float
) -> AsyncGenerator[str, None]:
    """Yield the pieces that hold text; an empty one is a sign of life and only renews the patience.

    Raises:
        ProviderTimeout: no first sign, or no further one, came in time, or the call's deadline is past.
    """
    patience_s = limits.first_token_s
    while True:
        async with patience(min(patience_s, deadline - clock())):
            piece = await anext(pieces, None)
        if piece is None:
            return
        patience_s = limits.between_tokens_s
        if piece:
            yield piece


class Reply:
    """Iterate over it once for the pieces of text.

    Use it as a context manager, or call `aclose`, so that a reply left halfway is counted and its connection closed.

    Attributes:
        provider, model: who answers; "" until someone is asked.
    """

    def __init__(self, gateway: Gateway, request: ChatRequest, *, role: LlmRole, purpose: str) -> None:
        self._gateway = gateway
        self._request = request
        self._role: LlmRole = role
        self._purpose = purpose
        self._pieces = self._walk_chain()
        self.provider = self.model = ""

    def __aiter__(self) -> AsyncIterator[str]:
        return self._pieces

    async def aclose(self) -> None:
        """Stop here; a reply under way is recorded as interrupted."""
        await self._pieces.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _walk_chain(self) -> AsyncGenerator[str, None]:
        gateway = self._gateway
        ceiling = gateway.limits.max_input_tokens - count_pictures(self._request.turns)
        check_ceiling(texts_of(self._request), ceiling=ceiling)
        deadline = gateway.clock() + gateway.limits.total_s
        last_error: LanguageModelError = ProviderUnavailable()
        for provider in gateway.providers:
            tries = gateway.tries(provider, deadline=deadline)
            while await tries.another():
                try:
                    async with aclosing(self._ask(provider, tries, deadline=deadline)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                except (ProviderUnavailable, MalformedOutput) as error:
                    last_error = error
        if gateway.offline is None:
            raise last_error
        async with aclosing(self._answer_offline(gateway.offline)) as pieces:
            async for piece in pieces:
                yield piece

    async def _ask(self, provider: Provider, tries: Tries, *, deadline: float) -> AsyncGenerator[str, None]:
        """Yield the provider's reply. Once text is out nobody else is asked, since that would say things twice."""
        gateway = self._gateway
        call = self._open_call(provider.name, provider.model_for(self._role))
        room = _Room(gateway.limits)
        pieces = provider.stream(self._request, model_role=self._role, meter=call)
        paced = keep_pace(pieces, limits=gateway.limits, clock=gateway.clock, deadline=deadline)
        async with tries.asking(call), aclosing(pieces), aclosing(paced):
            async for piece in paced:
                taken = room.take(piece)
                if taken:
                    call.note_text(taken)
                    yield taken
                if len(taken) < len(piece):
                    raise ReplyTooLong
            if not call.has_given_text:
                raise MalformedOutput

    async def _answer_offline(self, companion: OfflineCompanion) -> AsyncGenerator[str, None]:
        call = self._open_call(companion.name, "")
        try:
            async with aclosing(companion.stream(self._request)) as pieces:
                async for piece in pieces:
                    call.note_text(piece)
                    yield piece
            call.outcome = Outcome.OK
        finally:
            await call.close()

    def _open_call(self, provider: str, model: str) -> OpenCall:
        self.provider, self.model = provider, model
        return self._gateway.open_call(provider, model, role=self._role, purpose=self._purpose)


class _Room:
    """What may still be taken of a reply."""

    def __init__(self, limits: Limits) -> None:
        self._chars = limits.max_reply_chars
        self._bytes = int(limits.max_reply_tokens * BYTES_PER_TOKEN)

    def take(self, piece: str) -> str:
        """Return as much of the piece as there is room for."""
        taken = piece[: self._chars].encode("utf-8", "surrogatepass")
        if len(taken) > self._bytes:
            taken = taken[: self._bytes]
        text = taken.decode("utf-8", "ignore")
        self._chars -= len(text)
        self._bytes -= len(taken)
        return text
