"""The step that composes a student's request: own instructions, memory as data, earlier messages, the message."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast
from uuid import UUID

from django.conf import settings

from chat.access import ChatAccess
from chat.context import Context, Written, write_block
from chat.models import Message
from chat.prompts import system_prompt
from chat.turn.budget import SHARES, Wanted, fit, lead_in
from chat.turn.earlier import load_earlier
from companion_site.language import Language
from companion_site.llm.types import ChatRequest, Utterance
from memory.params import PROMPT
from overlay.guard import Fog, mask

#: What is written where nothing of memory fits, or nothing came to mind.
NOTHING = Written("", Context())


@dataclass(frozen=True, kw_only=True)
class ComposeInput:
    access: ChatAccess
    message: Message
    text: str
    context: Context
    fog: Fog


@dataclass(frozen=True, kw_only=True)
class Composed:
    """What the model is asked, what of the world its reply may name, and what of memory stands in it.

    Attributes:
        recalled: the memories in the request, most relevant first, with how relevant they are.
        terms: of each of them, what that number is made of.
        memory_tokens: of the request's memory, by estimate.
    """

    request: ChatRequest
    fog: Fog
    recalled: Mapping[UUID, float] = field(default_factory=dict)
    terms: Mapping[UUID, Mapping[str, float]] = field(default_factory=dict)
    memory_tokens: int = 0


def compose_step(given: ComposeInput) -> Composed:
    """Return what the model is asked; what would make it too long is left out as `chat.turn.budget` says.

    What stands in this conversation, and what the student said before, they have met. A summary may be a model's
    words, so it is gone over like a memory.
    """
    language = cast(Language, given.message.language)
    earlier = load_earlier(given.access, given.message)
    fog = lift_fog(given.fog, [*(turn.text for turn in earlier.turns), *given.context.own_words])
    veil: Callable[[str], str] = str if fog.hides_nothing else partial(mask, fog=fog, language=language)
    ceiling = settings.LLM_MAX_INPUT_TOKENS
    memory = _Block(given.context.veiled(veil))
    wanted = Wanted(
        system=system_prompt(language=language),
        message=given.text,
        earlier=earlier.turns,
        memory=memory,
        summary=lambda tokens: veil(earlier.block(tokens)),
    )
    shares = replace(SHARES, memory=PROMPT.most_tokens, conversation=ceiling)
    fitted = fit(wanted, ceiling=ceiling, shares=shares)
    written = memory.written if fitted.memory else NOTHING
    request = ChatRequest(
        system=wanted.system,
        turns=[
            *lead_in([fitted.summary] if fitted.summary else []),
            *fitted.earlier,
            Utterance("user", given.text),
        ],
        language=language,
        context=fitted.memory,
        recalled=written.context.told,
        unsure=written.context.unsure,
    )
    return Composed(
        request=request,
        fog=fog,
        recalled=written.scores,
        terms=written.terms,
        memory_tokens=written.tokens,
    )


@dataclass
class _Block:
    """The memory block within as many tokens as there is room for, and what came to stand in it."""

    context: Context
    written: Written = NOTHING

    def __call__(self, tokens: int) -> str:
        self.written = write_block(self.context, tokens=tokens)
        return self.written.text


def lift_fog(fog: Fog, texts: Sequence[str]) -> Fog:
    """Return the fog without the concepts that the texts name."""
    if fog.hides_nothing:
        return fog
    return fog.allowing(found.key for text in texts for found in fog.names.matcher.find(text))
