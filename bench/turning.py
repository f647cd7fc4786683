"""Whole turns of students with a life, said at a fixed rate; each with what its steps took."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from time import perf_counter, process_time
from uuid import uuid4

from django.utils import timezone

from bench.chatting import Chatter, chat, open_conversations, so_many, take_turns
from bench.students import make_lives, make_students
from bench.timing import core_share
from chat import vectors
from chat.access import ChatAccess
from chat.models import Message
from chat.replies.live import LiveReply
from chat.services import say
from chat.threads import in_thread
from chat.turn.reply import Turn
from chat.warming import load_for_good
from companion_site.embeddings.protocol import Vectors
from companion_site.llm.chain import Gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.vault import unlocked
from memory.student.life.goals import set_goal
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.metrics import set_measures
from memory.student.life.moods import tell_mood
from memory.student.life.wishes import change_wishes

#: Rounds of each student that are not measured.
WARM_UP = 2
GOALS = ("Run five kilometres", "Read every evening", "Call my brother more often", "Sleep before eleven")
THANKS = (
    "The walk by the river",
    "Lunch with Sara",
    "The sun this morning",
    "That the test went well",
    "My cat",
)


@dataclass(frozen=True)
class Turned:
    """One message, in ms from the moment at which it was due; the last is measured by the turn itself.

    Attributes:
        first_ms: until the first word; own_ms: the same without the embedder's work.
    """

    first_ms: float
    embed_ms: float
    steps_ms: Mapping[str, float]
    complete: bool

    @property
    def own_ms(self) -> float:
        return self.first_ms - self.embed_ms


@dataclass(frozen=True)
class Measured:
    """What was measured; `cpu_ms` is the processor's time for a turn, everything included."""

    turns: Sequence[Turned]
    share: float
    cpu_ms: float


def measure_turns(*, students: int, memories: int, every_s: float, seconds: float) -> Measured:
    """Return what was measured, after each student has warmed up."""
    load_for_good()
    made = make_students(make_lives(students, memories=memories), students)
    for access in made:
        give_life(access)
    turns = take_turns(open_conversations(made))
    say_it = partial(_say, Gateway([], offline=OfflineCompanion()))
    share = core_share()
    rate = students / every_s
    with _timing_waits():
        asyncio.run(chat(turns, say_it, rate=rate, goes_on=so_many(WARM_UP * students)))
        messages, began = max(1, round(rate * seconds)), process_time()
        turned = asyncio.run(chat(turns, say_it, rate=rate, goes_on=so_many(messages)))
    return Measured(turned, share, (process_time() - began) * 1000 / messages)


#: What a turn has waited for vectors of others than its message, in ms each time.
_waits: ContextVar[list[float]] = ContextVar("waits")


@contextmanager
def _timing_waits() -> Iterator[None]:
    """Have each turn know how long it waits for the vectors of what an answer is looked for in."""
    plain = vectors.embed_and_wait

    def timed(texts: Sequence[str]) -> Vectors:
        began = perf_counter()
        try:
            return plain(texts)
        finally:
            _waits.get().append((perf_counter() - began) * 1000)

    vectors.embed_and_wait = timed
    try:
        yield
    finally:
        vectors.embed_and_wait = plain


def give_life(access: ChatAccess) -> None:
    """Write what somebody has who uses everything: goals, gratitude, moods, measures, wishes."""
    now = timezone.now()
    with unlocked(access.space, access.key):
        for goal in GOALS:
            set_goal(access.space, goal, now=now)
        for thanks in THANKS:
            write_note(access.space, GRATITUDE, thanks, now=now)
        for days in range(5):
            at = now - timedelta(days=days)
            tell_mood(access.space, emotion="neutral", intensity="low", now=at)
        set_measures(access.space, timezone.localdate(now), {"sleep_hours": 6.5, "steps": 4000}, now=now)
        change_wishes(access.space, now=now, avoid=["the divorce"])


async def _say(gateway: Gateway, chatter: Chatter, text: str, due: float) -> Turned:
    loop, waits = asyncio.get_running_loop(), list[float]()
    _waits.set(waits)
    access, now = chatter.access, timezone.now()
    exchange = await in_thread(say, access, chatter.conversation, text=text, client_id=uuid4(), now=now)
    live = LiveReply(exchange.reply.pk)
    turn = Turn(exchange, live, access=access, gateway=gateway, now=now)
    task = asyncio.create_task(turn.run())
    first_ms = waited = 0.0
    async for seq, _ in live.follow(0):
        if seq == 1:
            first_ms, waited = (loop.time() - due) * 1000, sum(waits)
    await task
    steps = {step.name: step.ms or 0.0 for step in turn.side.steps.taken}
    embed = steps.get("embed", 0.0) + waited
    return Turned(first_ms, embed, steps, turn.ended == Message.State.COMPLETE)
