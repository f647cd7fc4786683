"""The step that composes the request: own instructions, memory as data, earlier messages, the message."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, takewhile
from typing import Literal, cast

from django.conf import settings

from chat.access import ChatAccess
from chat.context import Context, memory_block
from chat.models import Message
from chat.prompts import system_prompt
from companion_site.language import Language
from companion_site.llm.tokens import count_tokens
from companion_site.llm.types import ChatRequest, Utterance
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from overlay.guard import Fog, mask

HISTORY_MESSAGES = 20
SIDES: dict[str, Literal["user", "assistant"]] = {
    Message.Role.PERSON: "user",
    Message.Role.COMPANION: "assistant",
}


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

    What stands in this conversation, and what the student said before, they have met.
    """
    language = cast(Language, given.message.language)
    earlier = load_earlier(given.access, given.message)
    fog = lift_fog(given.fog, [*(turn.text for turn in earlier), *given.context.own_words])
    context = given.context
    if not fog.hides_nothing:
        context = context.veiled(partial(mask, fog=fog, language=language))
    system, block = system_prompt(language=language), memory_block(context)
    room = settings.LLM_MAX_INPUT_TOKENS - count_tokens([system, block, given.text])
    request = ChatRequest(
        system=system,
        turns=[*keep_latest(earlier, tokens=room), Utterance("user", given.text)],
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


def load_earlier(access: ChatAccess, message: Message) -> list[Utterance]:
    """Return the last messages before `message`, oldest first; replies that failed are left out."""
    kept = [Message.State.COMPLETE, Message.State.STOPPED]
    with space_scope(access.space), unlocked(access.space, access.key):
        rows = (
            Message.objects.for_space(access.space)
            .filter(conversation_id=message.conversation_id, state__in=kept, text__isnull=False)
            .before(message.position)
            .order_by("-position")[:HISTORY_MESSAGES]
        )
        return [Utterance(SIDES[row.role], row.text) for row in reversed(rows) if row.text]


def keep_latest(turns: Sequence[Utterance], *, tokens: int) -> list[Utterance]:
    """Return the longest run of last turns that fits into `tokens`, by estimate."""
    sums = accumulate(count_tokens([turn.text]) for turn in reversed(turns))
    fitting = sum(1 for _ in takewhile(lambda total: total <= tokens, sums))
    return list(turns[len(turns) - fitting :])
