"""The step that composes the request: own instructions, memory as data, earlier messages, the message."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

from django.conf import settings

from chat.access import ChatAccess
from chat.context import memory_block
from chat.models import Message
from chat.prompts import system_prompt
from companion_site.llm.tokens import count_tokens
from companion_site.llm.types import ChatRequest, Utterance
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.recall import Recalled

HISTORY_MESSAGES = 20
SIDES = {Message.Role.PERSON: "user", Message.Role.COMPANION: "assistant"}


@dataclass(frozen=True, kw_only=True)
class ComposeInput:
    access: ChatAccess
    message: Message
    text: str
    recalled: Sequence[Recalled]


def compose_step(given: ComposeInput) -> ChatRequest:
    """Return what the model is asked; earlier messages that would make it too long are left out, oldest first."""
    language = given.message.language
    system, context = system_prompt(language=language), memory_block(given.recalled)  # type: ignore[arg-type]
    room = settings.LLM_MAX_INPUT_TOKENS - count_tokens([system, context, given.text])
    earlier = keep_latest(load_earlier(given.access, given.message), tokens=room)
    return ChatRequest(
        system=system,
        turns=[*earlier, Utterance("user", given.text)],
        language=language,  # type: ignore[arg-type]
        context=context,
        recalled=tuple(memory.text for memory in given.recalled),
    )


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
        return [Utterance(SIDES[row.role], row.text) for row in reversed(rows) if row.text]  # type: ignore[arg-type]


def keep_latest(turns: Sequence[Utterance], *, tokens: int) -> list[Utterance]:
    """Return the longest run of last turns that fits into `tokens`, by estimate."""
    sums = accumulate(count_tokens([turn.text]) for turn in reversed(turns))
    fitting = sum(1 for _ in takewhile(lambda total: total <= tokens, sums))
    return list(turns[len(turns) - fitting :])
