"""One reply on its way: from the first provider that answers, or from the companion without a model."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from types import TracebackType
from typing import TYPE_CHECKING, Self

from companion_site.llm.calls import OpenCall, Tries, patience
from companion_site.llm.errors import (
    LanguageModelError,
    MalformedOutput,
    ProviderUnavailable,
    ReplyTooLong,
)
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.tokens import BYTES_PER_TOKEN, check_ceiling, count_pictures, texts_of
from companion_site.llm.types import ChatRequest, Limits, LlmRole, Outcome

if TYPE_CHECKING:
    from companion_site.llm.chain import Gateway


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
    """Iterate over it once for the pieces of text; afterwards it knows how that went.

    Use it as a context manager, or call `aclose`, so that a reply left halfway is counted and its connection closed.

    Attributes:
        provider, model: who answers; "" until someone is asked.
        outcome: how it ended, None while it runs.
        input_tokens, output_tokens: of the call that gave the reply.
        truncated: it stopped at `max_tokens`.
    """

    def __init__(self, gateway: "Gateway", request: ChatRequest, *, role: LlmRole, purpose: str) -> None:
        self._gateway = gateway
        self._request = request
        self._role: LlmRole = role
        self._purpose = purpose
        self._pieces = self._walk_chain()
        self.provider = self.model = ""
        self.outcome: Outcome | None = None
        self.input_tokens = self.output_tokens = 0
        self.truncated = False

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
        pieces = provider.stream(self._request, model_role=self._role, meter=call.meter)
        paced = keep_pace(pieces, limits=gateway.limits, clock=gateway.clock, deadline=deadline)
        try:
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
        finally:
            self._take_over(call)

    async def _answer_offline(self, companion: OfflineCompanion) -> AsyncGenerator[str, None]:
        call = self._open_call(companion.name, "")
        try:
            async with aclosing(companion.stream(self._request)) as pieces:
                async for piece in pieces:
                    call.note_text(piece)
                    yield piece
            call.outcome = Outcome.OK
        finally:
            self._take_over(call)
            await call.close()

    def _open_call(self, provider: str, model: str) -> OpenCall:
        self.provider, self.model = provider, model
        return self._gateway.open_call(provider, model, role=self._role, purpose=self._purpose)

    def _take_over(self, call: OpenCall) -> None:
        self.outcome, self.truncated = call.outcome, call.meter.truncated
        self.input_tokens, self.output_tokens = call.meter.input_tokens, call.output_tokens


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
