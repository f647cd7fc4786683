"""The step that composes a student's request: own instructions, memory as data, earlier messages, the message."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast
from uuid import UUID

from django.conf import settings

from chat.access import ChatAccess
from chat.context import Context, memory_block, quoted
from chat.models import Message
from chat.prompts import system_prompt
from chat.turn.budget import SHARES, Wanted, fit, lead_in
from chat.turn.earlier import load_earlier
from companion_site.language import Language
from companion_site.llm.tokens import count_tokens
from companion_site.llm.types import ChatRequest, Utterance
from overlay.guard import Fog, mask


@dataclass(frozen=True, kw_only=True)
class ComposeInput:
    access: ChatAccess
    message: Message
    text: str
    context: Context
    fog: Fog


@dataclass(frozen=True, kw_only=True)
class Composed:
    """What the model is asked, what of the world its reply may name, and what was recalled into it, with scores."""

    request: ChatRequest
    fog: Fog
    recalled: Mapping[UUID, float] = field(default_factory=dict)


def compose_step(given: ComposeInput) -> Composed:
    """Return what the model is asked; what would make it too long is left out as `chat.turn.budget` says.

    What stands in this conversation, and what the student said before, they have met. A summary may be a model's
    words, so it is gone over like a memory.
    """
    language = cast(Language, given.message.language)
    earlier = load_earlier(given.access, given.message)
    fog = lift_fog(given.fog, [*(turn.text for turn in earlier.turns), *given.context.own_words])
    veil: Callable[[str], str] = str if fog.hides_nothing else partial(mask, fog=fog, language=language)
    context, ceiling = given.context.veiled(veil), settings.LLM_MAX_INPUT_TOKENS
    wanted = Wanted(
        system=system_prompt(language=language),
        message=given.text,
        earlier=earlier.turns,
        memory=partial(fitting_block, context),
        summary=lambda tokens: veil(earlier.block(tokens)),
    )
    fitted = fit(wanted, ceiling=ceiling, shares=replace(SHARES, memory=ceiling, conversation=ceiling))
    request = ChatRequest(
        system=wanted.system,
        turns=[
            *lead_in([fitted.summary] if fitted.summary else []),
            *fitted.earlier,
            Utterance("user", given.text),
        ],
        language=language,
        context=fitted.memory,
        recalled=context.own_words,
    )
    recalled = {
        memory.id: memory.score for memory in context.recalled if quoted(memory.text) in fitted.memory
    }
    return Composed(request=request, fog=fog, recalled=recalled)


def fitting_block(context: Context, tokens: int) -> str:
    """Return the memory block within its tokens: the last memory goes first, then the world's lines, then the ledger's."""
    while (block := memory_block(context)) and count_tokens([block]) > tokens:
        if context.recalled:
            context = replace(context, recalled=context.recalled[:-1])
        elif context.concepts:
            context = replace(context, concepts=context.concepts[:-1])
        else:
            context = replace(context, entries=context.entries[:-1])
    return block


def lift_fog(fog: Fog, texts: Sequence[str]) -> Fog:
    """Return the fog without the concepts that the texts name."""
    if fog.hides_nothing:
        return fog
    return fog.allowing(found.key for text in texts for found in fog.names.matcher.find(text))
