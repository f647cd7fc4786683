"""Whether chats wait for others' sleep: `python -m bench.sleep_load`, on a database of its own.

Spaces fall asleep all at once, carried out by the site's own workers, while other students write at a fixed rate (open loop)
and are answered without a language model. The same rate is measured in turn with nobody asleep; the workers form
memories of what is said in both. The web server's HTTP and sockets are left out: a message is received by this process.
"""

import argparse
import asyncio
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, cycle
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
from bench.commands import command, make_parser, tell, write_lines
from bench.scratch import scratch_site
from bench.students import Told, make_lives, make_students
from bench.timing import core_share, percentiles, tell_bar
from bench.workers import wait_for_jobs, working
from chat.threads import in_thread
from chat.warming import load_for_good
from companion_site.jobs import enqueue
from companion_site.vault.scope import space_scope, write_scope
from memory.models import SleepRun
from memory.student.runs import find_open
from memory.student.sleep.timing import awaiting, plan_sleep

MOST_RATIO, BATCH_BAR_S, COMMIT_BAR_MS = 1.5, 30.0, 500.0
#: Messages of each student that are not measured.
WARM_UP = 2
#: Seconds between two looks whether the sleeps have ended, and for which is waited at the most.
LOOK_S, PATIENCE_S = 0.1, 900.0

Turns = Iterator[tuple[Chatter, str]]


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("sleep_load", __doc__)
    parser.add_argument("--spaces", type=int, default=20, help="that fall asleep at once")
    parser.add_argument("--memories", type=int, default=60, help="of every student, short-term")
    parser.add_argument("--workers", type=int, default=2, help="processes that carry out jobs")
    parser.add_argument("--rate", type=float, default=2.0, help="messages a second")
    parser.add_argument("--students", type=int, default=20, help="who write them")
    parser.add_argument("--seconds", type=float, default=40.0, help="of quiet in a round")
    parser.add_argument("--rounds", type=int, default=3, help="quiet and asleep in turn")
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        heard = measure_load(options, env=os.environ, tell=_tell_round)
        write_lines(render_report(options, heard))


# --- measuring ------------------------------------------------------------------------------------------------------


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
    given: argparse.Namespace, *, env: Mapping[str, str], tell: Callable[[Heard], None] = lambda heard: None
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
    turns = take_turns(open_conversations(make_students(lives[: given.students])))
    heard = Heard()
    with working(given.workers, env=env):
        warm_up = so_many(WARM_UP * given.students)
        asyncio.run(chat(turns, say_and_follow, rate=given.rate, goes_on=warm_up))
        for _ in range(given.rounds):
            _measure_round(given, lives, turns, heard)
            tell(heard)
        heard.shares.append(core_share())
    return heard


def _measure_round(given: argparse.Namespace, lives: Sequence[Told], turns: Turns, heard: Heard) -> None:
    """Measure quiet, then the spaces of new students asleep; what one leaves to do is done before the next begins."""
    spaces = [student.space for student in make_students(lives[: given.spaces])]
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
        with write_scope(space):
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


# --- telling --------------------------------------------------------------------------------------------------------


def render_report(given: argparse.Namespace, heard: Heard) -> Iterator[str]:
    """Yield the table and whether the bars hold."""
    yield (
        f"{given.rate:g} messages a second from {given.students} students, {given.rounds} rounds: "
        f"{given.seconds:g} s of quiet, then {given.spaces} spaces of {given.memories} short-term memories asleep "
        f"at once on {given.workers} workers."
    )
    yield f"{'':32}{'messages':>10}{'ms p50':>10}{'ms p95':>10}{'p95 / quiet':>14}"
    quiet, asleep = list(chain(*heard.quiet)), list(chain(*heard.asleep))
    yield _render_times("first word, quiet", _first(quiet))
    yield _render_times("first word, others asleep", _first(asleep), beside=_first(quiet), bar=MOST_RATIO)
    yield _render_times("message stored, quiet", _stored(quiet))
    yield _render_times("message stored, others asleep", _stored(asleep), beside=_stored(quiet))
    ratios = (f"{_ratio(*both):.2f}" for both in zip(heard.quiet, heard.asleep, strict=True))
    yield f"p95 of the first word, asleep / quiet, by round: {', '.join(ratios)}"
    yield f"answered whole: {sum(each.complete for each in quiet + asleep)} of {len(quiet + asleep)}"
    yield from _render_nights(given, heard)
    shares = f"{min(heard.shares):.0%} to {max(heard.shares):.0%}"
    yield f"This process had {shares} of a core between the rounds."


def _render_nights(given: argparse.Namespace, heard: Heard) -> Iterator[str]:
    nights = heard.nights
    batches = [second for night in nights for second in night.batch_s]
    commits = [ms for night in nights for ms in night.commit_ms]
    states = sum((night.states for night in nights), Counter[str]())
    yield f"{given.spaces} spaces were asleep after {', '.join(f'{night.took_s:.0f}' for night in nights)} s"
    yield f"a batch: {_render_bar(batches, 's', BATCH_BAR_S)}"
    yield f"its commit: {_render_bar(commits, 'ms', COMMIT_BAR_MS)}"
    ended = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    yield f"runs: {ended}; memories that still wait: {sum(night.waiting for night in nights)}"


def _render_bar(values: Sequence[float], unit: str, bar: float) -> str:
    found = percentiles(values)
    return f"p50 {found['ms_p50']:.3g} {unit}, p95 {found['ms_p95']:.3g} {unit}  {tell_bar(found['ms_p95'], bar)}"


def _render_times(
    name: str, times_ms: Sequence[float], *, beside: Sequence[float] = (), bar: float | None = None
) -> str:
    found = percentiles(times_ms)
    line = f"{name:32}{len(times_ms):10}{found['ms_p50']:10.1f}{found['ms_p95']:10.1f}"
    if not beside:
        return line
    ratio = found["ms_p95"] / percentiles(beside)["ms_p95"]
    return f"{line}{ratio:14.2f}" + ("" if bar is None else f"  {tell_bar(ratio, bar)}")


def _tell_round(heard: Heard) -> None:
    """Tell how the last round went."""
    parts = []
    for name, answered in (("quiet", heard.quiet[-1]), ("asleep", heard.asleep[-1])):
        found = percentiles(_first(answered))
        parts.append(f"{name} {found['ms_p50']:.0f} / {found['ms_p95']:.0f} ms")
    night, share = heard.nights[-1], heard.shares[-1]
    tell(f"{', '.join(parts)} (p50 / p95); asleep after {night.took_s:.0f} s; {share:.0%} of a core")


def _ratio(quiet: Iterable[Answered], asleep: Iterable[Answered]) -> float:
    return percentiles(_first(asleep))["ms_p95"] / percentiles(_first(quiet))["ms_p95"]


def _first(answered: Iterable[Answered]) -> list[float]:
    return [each.first_ms for each in answered if each.first_ms is not None]


def _stored(answered: Iterable[Answered]) -> list[float]:
    return [each.stored_ms for each in answered if each.stored_ms is not None]


if __name__ == "__main__":
    sys.exit(main())
