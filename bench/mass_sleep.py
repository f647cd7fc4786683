"""Chats measured in turn while nobody sleeps and while many spaces do, carried out by the site's own workers."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from uuid import UUID

from bench.chatting import Answered, Chatter, chat, open_conversations, take_turns
from bench.nights import Night, fall_asleep, tell_night, until_asleep
from bench.students import Lives, make_lives, make_students
from bench.timing import core_share
from bench.workers import wait_for_jobs, working
from chat.threads import in_thread
from chat.warming import load_for_good

#: Messages of each student that are not measured.
WARM_UP = 2
#: Seconds between two looks whether the sleeps have ended, and for which is waited at the most.
LOOK_S, PATIENCE_S = 0.1, 900.0

Turns = Iterator[tuple[Chatter, str]]


@dataclass(frozen=True, kw_only=True)
class Load:
    """What the site has to do.

    Attributes:
        spaces: that fall asleep at once.
        memories: of every student, short-term.
        workers: processes that carry out jobs.
        rate: messages a second.
        students: who write them, in turn; they stay awake.
        seconds: of quiet in a round.
        rounds: quiet and asleep in turn.
    """

    spaces: int
    memories: int
    workers: int
    rate: float
    students: int
    seconds: float
    rounds: int


@dataclass
class Heard:
    """What was measured, by round: how messages fared, how the sleeps went, and the shares of a core in between."""

    quiet: list[list[Answered]] = field(default_factory=list)
    asleep: list[list[Answered]] = field(default_factory=list)
    nights: list[Night] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


def measure_load(
    given: Load, *, env: Mapping[str, str], tell: Callable[[Heard], None] = lambda heard: None
) -> Heard:
    """Return what was measured.

    Args:
        env: of the workers; leads to the database and the keys of this process.
        tell: is given what there is after each round.

    Raises:
        RuntimeError: the jobs or the sleeps do not end.
    """
    load_for_good()
    lives = make_lives(max(given.spaces, given.students), memories=given.memories)
    turns = take_turns(open_conversations(make_students(lives, given.students)))
    heard = Heard()
    with working(given.workers, env=env):
        first = iter(range(WARM_UP * given.students))
        asyncio.run(chat(turns, rate=given.rate, goes_on=lambda: next(first, None) is not None))
        for _ in range(given.rounds):
            _measure_round(given, lives, turns, heard)
            tell(heard)
        heard.shares.append(core_share())
    return heard


def _measure_round(given: Load, lives: Lives, turns: Turns, heard: Heard) -> None:
    """Measure quiet, then the spaces of new students asleep; what one leaves to do is done before the next begins."""
    spaces = [student.space for student in make_students(lives, given.spaces)]
    wait_for_jobs(patience_s=PATIENCE_S)
    heard.shares.append(core_share())
    heard.quiet.append(asyncio.run(_chat_for(turns, rate=given.rate, seconds=given.seconds)))
    wait_for_jobs(patience_s=PATIENCE_S)
    since, answered = asyncio.run(_chat_through(turns, rate=given.rate, spaces=spaces))
    heard.asleep.append(answered)
    wait_for_jobs(patience_s=PATIENCE_S)
    heard.nights.append(tell_night(spaces, since=since))


async def _chat_for(turns: Turns, *, rate: float, seconds: float) -> list[Answered]:
    deadline = monotonic() + seconds
    return await chat(turns, rate=rate, goes_on=lambda: monotonic() < deadline)


async def _chat_through(
    turns: Turns, *, rate: float, spaces: Sequence[UUID]
) -> tuple[datetime, list[Answered]]:
    """Let them fall asleep, and chat until the last is; return when that began, and how the messages fared."""
    since = await in_thread(fall_asleep, spaces)
    asleep = asyncio.Event()
    chatting = asyncio.create_task(chat(turns, rate=rate, goes_on=lambda: not asleep.is_set()))
    looks, deadline = until_asleep(spaces), monotonic() + PATIENCE_S
    while not await in_thread(next, looks):
        if monotonic() > deadline:
            raise RuntimeError(f"some sleep has not ended after {PATIENCE_S:.0f} s")
        await asyncio.sleep(LOOK_S)
    asleep.set()
    return since, await chatting
