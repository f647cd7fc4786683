"""Chats measured in turn while nobody sleeps and while many spaces do, carried out by the site's own workers."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle
from time import monotonic
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from bench.chatting import (
    Answered,
    Chatter,
    chat,
    open_conversations,
    say_and_follow,
    so_many,
    take_turns,
)
from bench.students import Lives, make_lives, make_students
from bench.timing import core_share
from bench.workers import wait_for_jobs, working
from chat.threads import in_thread
from chat.warming import load_for_good
from companion_site.jobs import enqueue
from companion_site.vault.scope import lock_space, space_scope
from memory.models import SleepRun
from memory.student.runs import find_open
from memory.student.sleep.timing import awaiting, plan_sleep

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
class Night:
    """How the sleeps of spaces went that fell asleep together.

    Attributes:
        took_s: from the look at the clock that found them due to the end of the last run.
        batch_s, commit_ms: of each run that had something to do.
        states: how many runs ended how.
        waiting: memories that no sleep took in.
    """

    took_s: float = 0.0
    batch_s: list[float] = field(default_factory=list)
    commit_ms: list[float] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    waiting: int = 0


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
        warm_up = so_many(WARM_UP * given.students)
        asyncio.run(chat(turns, say_and_follow, rate=given.rate, goes_on=warm_up))
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
    return await chat(turns, say_and_follow, rate=rate, goes_on=lambda: monotonic() < deadline)


async def _chat_through(
    turns: Turns, *, rate: float, spaces: Sequence[UUID]
) -> tuple[datetime, list[Answered]]:
    """Let them fall asleep, and chat until the last is; return when that began, and how the messages fared."""
    since = await in_thread(fall_asleep, spaces)
    asleep = asyncio.Event()
    chatting = asyncio.create_task(
        chat(turns, say_and_follow, rate=rate, goes_on=lambda: not asleep.is_set())
    )
    looks, deadline = until_asleep(spaces), monotonic() + PATIENCE_S
    while not await in_thread(next, looks):
        if monotonic() > deadline:
            raise RuntimeError(f"some sleep has not ended after {PATIENCE_S:.0f} s")
        await asyncio.sleep(LOOK_S)
    asleep.set()
    return since, await chatting


def fall_asleep(spaces: Sequence[UUID]) -> datetime:
    """Make all of them due and queue the look at the clock that finds them; return when that was."""
    now = timezone.now()
    for space in spaces:
        with space_scope(space):
            lock_space(space)
            plan_sleep(space, now=now - timedelta(days=1))
    with transaction.atomic():
        enqueue("memory.tasks.queue_sleep")
    return now


def until_asleep(spaces: Sequence[UUID]) -> Iterator[bool]:
    """Yield at each step whether all of them are asleep, having looked at one: a look must not cost what is measured."""
    awake = list(spaces)
    for space in cycle(spaces):
        if space in awake and _is_asleep(space):
            awake.remove(space)
        yield not awake


def tell_night(spaces: Sequence[UUID], *, since: datetime) -> Night:
    """Return how it went, by the runs' own records."""
    night = Night()
    for space in spaces:
        with space_scope(space):
            runs = list(SleepRun.objects.for_space(space))
            night.waiting += awaiting(space).count()
        night.states.update(str(run.state) for run in runs)
        night.batch_s += [(run.duration_ms or 0) / 1000 for run in runs if run.processed]
        night.commit_ms += [float(run.commit_ms or 0) for run in runs if run.processed]
        ends = [
            run.started_at + timedelta(milliseconds=run.duration_ms or 0) for run in runs if run.started_at
        ]
        night.took_s = max([night.took_s, *((end - since).total_seconds() for end in ends)])
    return night


def _is_asleep(space: UUID) -> bool:
    """Tell whether a sleep was begun and no run of it waits or works; what failed counts as ended."""
    with space_scope(space):
        begun = SleepRun.objects.for_space(space).exists()
    return begun and find_open(SleepRun, space) is None
