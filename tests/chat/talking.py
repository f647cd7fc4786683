"""People who remember and talk: memories formed without a model, then whole turns with one on this machine."""

import asyncio
from datetime import datetime, timedelta
from uuid import uuid4

from django.test import override_settings

from chat import services
from chat.access import ChatAccess
from chat.models import Conversation, Message
from chat.replies import store
from chat.replies.presentation import render_message, show_messages
from chat.turn.compose import Decided, compose_step
from chat.turn.context import Context
from chat.turn.message import Asked, Composed
from chat.turn.recall import Met
from chat.turn.reply import Turn
from companion_site.ids import new_id
from companion_site.llm.gateway import get_gateway
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.models import CompanyFact, MemoryNode, MemorySource
from memory.student.ingest.formation import Said
from memory.student.ingest.pipeline import form_memories
from overlay.guard import Fog
from tests.factories import NOW
from tests.llm.wire_server import WireServer
from tests.memory.company.audit.rows import believe as write_fact

DAY_BEFORE = NOW - timedelta(days=1)


def remember(access: ChatAccess, text: str, *, at: datetime = DAY_BEFORE, **given) -> None:
    """Form what was said into memories, as the worker does without a model."""
    fields = {
        "language": "en",
        "source_kind": MemorySource.Kind.MESSAGE,
        "source_id": new_id(),
        "conversation_id": new_id(),
        **given,
    }
    with override_settings(LLM_CHAIN=["offline"]):
        said = Said(text=text, said_at=at, **fields)
        formed = form_memories([said], space=access.space, key=access.key, now=at, claim=lambda drafts: True)
    assert formed, f"nothing was formed from {text!r}"


def record_lesson(access: ChatAccess, text: str, *, at: datetime = DAY_BEFORE, **given) -> None:
    """Form what a learning system reports of a lesson."""
    remember(
        access,
        text,
        at=at,
        source_kind=MemorySource.Kind.LESSON,
        trust=MemoryNode.Trust.SYSTEM,
        conversation_id=None,
        **given,
    )


def change_memories(access: ChatAccess, **fields) -> None:
    """Set columns of every memory of a space that are no words, as a writer of memory does."""
    with write_scope(access.space):
        version = bump_version(access.space)
        MemoryNode.objects.for_space(access.space).update(version=version, **fields)


def believe(access: ChatAccess, content: str, category: str = "knowledge", **given) -> CompanyFact:
    """Have a company believe something since two days ago, without its vector."""
    fields = {"at": NOW - timedelta(days=2), "confidence": 0.95, "vector": False, **given}
    return write_fact(access.space, content, category=category, **fields)


def begin(access: ChatAccess, *, now: datetime = NOW, **options) -> Conversation:
    return services.begin_conversation(access, now=now, **options)


def say(
    access: ChatAccess,
    row: Conversation,
    text: str,
    *,
    answer: str = "I see.",
    provider: str = "",
    now: datetime = NOW,
    **given,
) -> services.Exchange:
    """Say something and have it answered by these words, without a turn."""
    exchange = tell(access, row, text, now=now, **given)
    finish(access, exchange.reply, answer, provider=provider, now=now)
    return exchange


def tell(
    access: ChatAccess, row: Conversation, text: str, *, now: datetime = NOW, **given
) -> services.Exchange:
    """Say something, and leave it without an answer."""
    return services.say(access, row.pk, text=text, now=now, **{"client_id": uuid4(), **given})


def finish(access: ChatAccess, reply: Message, text: str, *, now: datetime = NOW, **given) -> None:
    """End a reply with these words, without a turn."""
    fields = {"state": Message.State.COMPLETE, **given}
    store.finish_reply(access, reply.pk, text=text, now=now, **fields)


def converse(access: ChatAccess, *texts: str, answer: str = "I see.", days_ago: int = 0) -> Conversation:
    """Say these things in a conversation of its own, each answered by the same words; return the conversation."""
    at = NOW - timedelta(days=days_ago)
    row = begin(access, now=at)
    for text in texts:
        say(access, row, text, answer=answer, now=at)
    return row


def rows(access: ChatAccess, model: type[SpaceModel], **which) -> list:
    """Return the rows of a space that are so, the earliest first."""
    with space_scope(access.space):
        return list(model.objects.for_space(access.space).filter(**which).order_by("id"))


def change_rows(access: ChatAccess, model: type[SpaceModel], which: dict | None = None, **fields) -> None:
    """Set columns of the rows of a space that are so, past whoever writes them."""
    with space_scope(access.space):
        model.objects.for_space(access.space).filter(**which or {}).update(**fields)


def renew(row: SpaceModel):
    """Return a row as it stands now."""
    with space_scope(row.space_id):
        return type(row).objects.for_space(row.space_id).get(pk=row.pk)


def held(access: ChatAccess) -> list[str]:
    """Return the words of what is believed, the earliest first."""
    with space_scope(access.space), access.open():
        return [row.content for row in MemoryNode.objects.for_space(access.space).active().order_by("id")]


def memory_ids(access: ChatAccess) -> set[str]:
    return {str(node.pk) for node in rows(access, MemoryNode)}


def talk(
    access: ChatAccess, *texts: str, conversation: Conversation | None = None, memory_on=True
) -> Message:
    """Say these things, each answered by a whole turn; return the last reply."""
    row = conversation or begin(access, memory_on=memory_on)
    for text in texts:
        reply_to(access, tell(access, row, text))
    return last_reply(access, row)


def reply(access: ChatAccess, *texts: str, **options) -> str:
    """Say these things in one conversation; return the words of the last reply."""
    return services.read_text(access, talk(access, *texts, **options))


def reply_to(access: ChatAccess, exchange: services.Exchange, *, now: datetime = NOW) -> Turn:
    """Answer what was said by a whole turn, and close what it has open to the model.

    The loop is left without a result: it writes down what its task returned, and a turn holds all that was recalled.
    """
    turn = Turn(exchange, access=access, now=now)

    async def run() -> None:
        await turn.run()
        await get_gateway().aclose()

    asyncio.run(run())
    return turn


async def answer(access: ChatAccess, exchange: services.Exchange, *, now: datetime = NOW) -> Turn:
    """Answer what was said by a whole turn."""
    turn = Turn(exchange, access=access, now=now)
    await turn.run()
    return turn


def compose(
    access: ChatAccess, message: Message, text: str, *, fog: Fog | None = None, **decided
) -> Composed:
    """Return what the model would be asked for a message of a student whose school has no world, unless a fog is given."""
    asked = Asked(access=access, message=message, text=text, memory_on=True, now=NOW)
    return compose_step(
        asked,
        Decided(**{"context": Context(), **decided}),
        fog=fog or Met().fog,
        embedder=asked.embedder,
    )


def article(access: ChatAccess, message: Message) -> str:
    """Return a message as a page has it."""
    (shown,) = show_messages(access, [message], now=NOW)
    return render_message(shown)


def steps_of(reply: Message) -> dict[str, dict]:
    return {step["step"]: step for step in reply.steps}


def outcome_of(access: ChatAccess, reply: Message) -> dict | None:
    with access.open():
        return reply.outcome


def message_at(access: ChatAccess, row: Conversation, position: int = 1) -> Message:
    (message,) = rows(access, Message, conversation=row, position=position)
    return message


def last_reply(access: ChatAccess, conversation: Conversation) -> Message:
    return max(rows(access, Message, conversation=conversation), key=lambda message: message.position)


def prompt(server: WireServer) -> str:
    """Return all that the model read last, but for the system's own instructions."""
    return "\n".join(text for _, text in server.requests[-1].texts)
