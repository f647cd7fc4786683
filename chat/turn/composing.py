"""The step that composes the request: own instructions, memory as data, the last messages, the message."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.access import ChatAccess
from chat.context import memory_block
from chat.models import Message
from chat.prompts import system_prompt
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
    recalled: Sequence[Recalled]


def compose_step(given: ComposeInput) -> ChatRequest:
    """Return what the model is asked."""
    language = given.message.language
    return ChatRequest(
        system=system_prompt(language=language),  # type: ignore[arg-type]
        turns=load_turns(given.access, given.message),
        language=language,  # type: ignore[arg-type]
        context=memory_block(given.recalled),
        recalled=tuple(memory.text for memory in given.recalled),
    )


def load_turns(access: ChatAccess, message: Message) -> list[Utterance]:
    """Return the last messages up to and including `message`, oldest first; replies that failed are left out."""
    kept = [Message.State.COMPLETE, Message.State.STOPPED]
    with space_scope(access.space), unlocked(access.space, access.key):
        rows = (
            Message.objects.for_space(access.space)
            .filter(conversation_id=message.conversation_id, state__in=kept, text__isnull=False)
            .before(message.position)
            .order_by("-position")[: HISTORY_MESSAGES - 1]
        )
        earlier = [Utterance(SIDES[row.role], row.text) for row in reversed(rows) if row.text]  # type: ignore[arg-type]
        return [*earlier, Utterance("user", message.text)]
