"""Students who write at a fixed rate, whether or not the ones before have been answered, through the real turn."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count, cycle
from typing import TypeVar
from uuid import UUID, uuid4

from django.utils import timezone

from bench.sentences import make_questions
from bench.snr import load_told
from chat.access import ChatAccess
from chat.models import Message
from chat.services import begin_conversation, say
from chat.threads import DATABASE_LOST, in_thread
from chat.turn.reply import Turn
from companion_site.errors import CompanionError
from companion_site.llm.chain import Gateway
from companion_site.llm.gateway import get_gateway

QUESTIONS = 50
T = TypeVar("T")


@dataclass(frozen=True)
class Answered:
    """One message, in milliseconds from the moment at which it was due.

    Attributes:
        stored_ms: until it was acknowledged; None where it was refused.
        first_ms: until the reply's first word; None where none came.
        complete: whether the whole reply came.
        steps_ms: what the steps of the turn took, by themselves.
        embed_ms: of the time to the first word, what the embedder took, where that is measured.
    """

    stored_ms: float | None
    first_ms: float | None
    complete: bool
    steps_ms: Mapping[str, float] = field(default_factory=dict)
    embed_ms: float = 0.0


@dataclass(frozen=True)
class Chatter:
    """A student in a conversation."""

    access: ChatAccess
    conversation: UUID


def open_conversations(students: Sequence[ChatAccess]) -> list[Chatter]:
    """Have each begin a conversation."""
    now = timezone.now()
    return [Chatter(access, begin_conversation(access, now=now).pk) for access in students]


def take_turns(chatters: Sequence[Chatter]) -> Iterator[tuple[Chatter, str]]:
    """Yield who says what, for ever: each in turn, a question after something worth remembering."""
    told = [text for text, _ in load_told()]
    texts = chain.from_iterable(zip(cycle(told), cycle(make_questions(QUESTIONS)), strict=False))
    return zip(cycle(chatters), texts, strict=False)


def so_many(messages: int) -> Callable[[], bool]:
    """Return what says so many times that a chat goes on."""
    left = iter(range(messages))
    return lambda: next(left, None) is not None


async def chat(
    turns: Iterator[tuple[Chatter, str]],
    answer: Callable[[Chatter, str, float], Awaitable[T]],
    *,
    rate: float,
    goes_on: Callable[[], bool],
) -> list[T]:
    """Have a message said every 1 / `rate` seconds for as long as `goes_on` says so; return how each fared.

    Args:
        answer: says it and follows the reply. The clock of each starts when it is due, which it is told, so that a
            site that is behind does not make itself look better.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    said: list[asyncio.Future[T]] = []
    for number in count():
        due = started + number / rate
        await asyncio.sleep(due - loop.time())
        if not goes_on():
            break
        said.append(asyncio.ensure_future(answer(*next(turns), due)))
    return list(await asyncio.gather(*said))


async def say_and_follow(
    chatter: Chatter,
    text: str,
    due: float | None = None,
    *,
    now: datetime | None = None,
    gateway: Gateway | None = None,
) -> Answered:
    """Say something and follow the reply, as the socket of a page does.

    Args:
        due: by the loop's clock; now, if absent.
    """
    loop = asyncio.get_running_loop()
    due = loop.time() if due is None else due
    access, now, gateway = chatter.access, now or timezone.now(), gateway or get_gateway()
    try:
        exchange = await in_thread(say, access, chatter.conversation, text=text, client_id=uuid4(), now=now)
    except (CompanionError, *DATABASE_LOST):
        return Answered(None, None, complete=False)
    stored_ms = (loop.time() - due) * 1000
    turn = Turn(exchange, access=access, now=now, gateway=gateway)
    task = asyncio.create_task(turn.run())
    first_ms = None
    async for seq, _ in turn.live.follow(0):
        if seq == 1:
            first_ms = (loop.time() - due) * 1000
    await task
    steps = {step.name: step.ms or 0.0 for step in turn.side.steps.taken}
    return Answered(stored_ms, first_ms, turn.ended == Message.State.COMPLETE, steps)
