"""People who remember and talk: memories formed without a model, then whole turns with one on this machine."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import uuid4

from django.test import override_settings

from chat import services
from chat.access import ChatAccess
from chat.live import LiveReply
from chat.models import Conversation, Message
from chat.threads import in_thread
from chat.turn.replying import Turn, TurnInput
from companion_site.ids import new_id
from companion_site.llm.gateway import get_gateway
from companion_site.vault import unlocked
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.formation import Said
from memory.forming import form_memories
from memory.models import MemoryNode, MemorySource
from tests.factories import NOW
from tests.llm.wire_server import WireServer

DAY_BEFORE = NOW - timedelta(days=1)


@contextmanager
def model_on_this_machine(settings) -> Iterator[WireServer]:
    """Answer every request of the block with a model that is scripted."""
    with WireServer() as server:
        settings.LLM_CHAIN = ["anthropic"]
        settings.ANTHROPIC_API_KEY = "test"
        settings.ANTHROPIC_BASE_URL = server.url
        get_gateway.cache_clear()
        yield server
    get_gateway.cache_clear()


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
        formed = form_memories(said, space=access.space, key=access.key, now=at, claim=lambda draft: True)
    assert formed, f"nothing was formed from {text!r}"


def record_lesson(access: ChatAccess, text: str, *, at: datetime = DAY_BEFORE) -> None:
    """Form what a learning system reports of a lesson."""
    remember(
        access,
        text,
        at=at,
        source_kind=MemorySource.Kind.LESSON,
        trust=MemoryNode.Trust.SYSTEM,
        conversation_id=None,
    )


def change_memories(access: ChatAccess, **fields) -> None:
    """Set columns of every memory of a space that are no words, as a writer of memory does."""
    with space_scope(access.space):
        lock_space(access.space)
        version = bump_version(access.space)
        MemoryNode.objects.for_space(access.space).update(version=version, **fields)


def memory_ids(access: ChatAccess) -> set[str]:
    with space_scope(access.space):
        return {str(pk) for pk in MemoryNode.objects.for_space(access.space).values_list("pk", flat=True)}


def talk(
    access: ChatAccess, *texts: str, conversation: Conversation | None = None, memory_on=True
) -> Message:
    """Say these things, each answered by a whole turn; return the last reply."""
    row = conversation or services.begin_conversation(access, now=NOW, memory_on=memory_on)

    async def run() -> None:
        for text in texts:
            exchange = await in_thread(services.say, access, row.pk, text=text, client_id=uuid4(), now=NOW)
            turn = TurnInput(
                access=access,
                message=exchange.message,
                text=exchange.text,
                reply=exchange.reply,
                memory_on=memory_on,
                gateway=get_gateway(),
                now=NOW,
            )
            await Turn(turn, LiveReply(exchange.reply.pk)).run()
        await get_gateway().aclose()

    asyncio.run(run())
    return last_reply(access, row)


def last_reply(access: ChatAccess, conversation: Conversation) -> Message:
    with space_scope(access.space), unlocked(access.space, access.key):
        return (
            Message.objects.for_space(access.space)
            .filter(conversation=conversation)
            .order_by("position")
            .last()
        )


def prompt(server: WireServer) -> str:
    """Return all that the model read last, but for the system's own instructions."""
    texts = []
    for message in server.requests[-1].body["messages"]:
        content = message["content"]
        texts += [content] if isinstance(content, str) else [part["text"] for part in content]
    return "\n".join(texts)
