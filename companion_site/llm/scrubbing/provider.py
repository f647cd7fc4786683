"""A provider that is told placeholders and seems to answer with the values.

It stands between the chain and the adapter of a provider, so whoever reads a reply further on, above all the fog that
withholds names, reads it with the values in it; and the companion without a model, which is no provider, needs none of it.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from companion_site.llm.errors import LanguageModelError
from companion_site.llm.protocol import Provider
from companion_site.llm.scrubbing.policy import Kind
from companion_site.llm.scrubbing.scrubber import RULE, Scrubber, StreamRestorer, restore_json
from companion_site.llm.tokens import texts_of
from companion_site.llm.types import ChatRequest, ExtractRequest, LlmRole, Meter, Repair, S, Utterance


class ScrubbingProvider:
    """Scrubs each request to `provider` of `kinds`, and restores each answer. Values stay in the call's own memory."""

    def __init__(self, provider: Provider, *, kinds: Collection[Kind]) -> None:
        self.name = provider.name
        self._provider = provider
        self._kinds = frozenset(kinds)

    def model_for(self, role: LlmRole) -> str:
        return self._provider.model_for(role)

    async def stream(
        self, request: ChatRequest, *, model_role: LlmRole, meter: Meter
    ) -> AsyncGenerator[str, None]:
        scrubber = Scrubber(texts_of(request), kinds=self._kinds)
        scrubbed = await asyncio.to_thread(_scrub_chat, request, scrubber)
        pieces = self._provider.stream(scrubbed, model_role=model_role, meter=meter)
        async with aclosing(pieces), aclosing(_restore(pieces, scrubber)) as restored:
            async for piece in restored:
                yield piece

    async def extract(self, request: ExtractRequest[S], *, meter: Meter, repair: Repair | None = None) -> S:
        scrubber = Scrubber([request.instructions, request.data], kinds=self._kinds)
        data = await asyncio.to_thread(scrubber.scrub, request.data)
        scrubbed = replace(
            request,
            data=data,
            instructions=_with_rule(request.instructions, scrubber),
            restore=partial(restore_json, originals=scrubber.originals),
        )
        if repair is not None:
            # A fault names its place, which may be a key in the last answer.
            repair = Repair(raw=scrubber.scrub(repair.raw), problem=scrubber.scrub(repair.problem))
        return await self._provider.extract(scrubbed, meter=meter, repair=repair)

    async def aclose(self) -> None:
        await self._provider.aclose()


def _scrub_chat(request: ChatRequest, scrubber: Scrubber) -> ChatRequest:
    """Return the request as the provider may read it; the system's text is ours and gains a rule at most."""
    turns = [_scrub_turn(turn, scrubber) for turn in request.turns]
    context = scrubber.scrub(request.context)
    return replace(request, turns=turns, context=context, system=_with_rule(request.system, scrubber))


def _scrub_turn(turn: Utterance, scrubber: Scrubber) -> Utterance:
    """Return a turn without values; what a picture shows is beyond this, its name is not."""
    pictures = tuple(replace(picture, name=scrubber.scrub(picture.name)) for picture in turn.pictures)
    return Utterance(turn.role, scrubber.scrub(turn.text), pictures)


def _with_rule(system: str, scrubber: Scrubber) -> str:
    return f"{system}\n\n{RULE}".lstrip() if scrubber.originals else system


async def _restore(pieces: AsyncGenerator[str, None], scrubber: Scrubber) -> AsyncGenerator[str, None]:
    """Yield the pieces with the values; one that waits for its end is yielded empty, as a sign of life.

    A reply that breaks off keeps what was waiting, unless that would be its first word: then another provider is asked.
    """
    restorer, has_given_text = StreamRestorer(scrubber.originals), False
    try:
        async for piece in pieces:
            text = restorer.feed(piece)
            has_given_text = has_given_text or bool(text)
            yield text
    except LanguageModelError:
        rest = restorer.finish()
        if has_given_text and rest:
            yield rest
        raise
    if rest := restorer.finish():
        yield rest
