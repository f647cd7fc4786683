"""The step that composes a student's request: own instructions, memory as data, earlier messages, the message."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from django.conf import settings

from chat.access import ChatAccess
from chat.context import Context, memory_block
from chat.models import Message
from chat.prompts import system_prompt
from chat.turn.budget import SHARES, keep_latest, lead_in
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
    """What the model is asked, and what of the world its reply may name."""

    request: ChatRequest
    fog: Fog


def compose_step(given: ComposeInput) -> Composed:
    """Return what the model is asked; earlier messages that would make it too long are left out, oldest first.

    What stands in this conversation, and what the student said before, they have met. A summary may be a model's
    words, so it is gone over like a memory.
    """
    language = cast(Language, given.message.language)
    earlier = load_earlier(given.access, given.message)
    fog = lift_fog(given.fog, [*(turn.text for turn in earlier.turns), *given.context.own_words])
    context, summary = given.context, earlier.block(SHARES.summary)
    if not fog.hides_nothing:
        veil = partial(mask, fog=fog, language=language)
        context, summary = context.veiled(veil), veil(summary)
    system, block = system_prompt(language=language), memory_block(context)
    before = lead_in([summary] if summary else [])
    room = settings.LLM_MAX_INPUT_TOKENS - count_tokens(
        [system, block, given.text, *(turn.text for turn in before)]
    )
    request = ChatRequest(
        system=system,
        turns=[*before, *keep_latest(earlier.turns, tokens=room), Utterance("user", given.text)],
        language=language,
        context=block,
        recalled=context.own_words,
    )
    return Composed(request=request, fog=fog)


def lift_fog(fog: Fog, texts: Sequence[str]) -> Fog:
    """Return the fog without the concepts that the texts name."""
    if fog.hides_nothing:
        return fog
    return fog.allowing(found.key for text in texts for found in fog.names.matcher.find(text))
