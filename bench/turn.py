"""What the companion adds to a reply: `python -m bench.turn`, on a database of its own.

Students with memories, goals, gratitude, moods, measures and a topic to avoid write at a fixed rate (open loop), each a message
every ten seconds, and are answered by a companion that needs no model and answers at once. Counted from the receipt of a message to
the first word of its reply, the embedder apart. The web server's HTTP and sockets are left out.
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import timedelta
from time import monotonic, process_time

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
from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.students import make_lives, make_students
from bench.timing import core_share, percentiles, tell_bar
from chat import vectors
from chat.access import ChatAccess
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

BAR_MS = 60.0
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


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("turn", __doc__)
    parser.add_argument("--students", type=int, default=20, help="who chat")
    parser.add_argument("--memories", type=int, default=200, help="of every student")
    parser.add_argument("--every", type=float, default=10.0, help="seconds from message to message")
    parser.add_argument("--seconds", type=float, default=60.0, help="that are measured")
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        write_lines(measure(options))


def measure(options: argparse.Namespace) -> Iterator[str]:
    """Yield the report, measured after each student has warmed up."""
    load_for_good()
    made = make_students(make_lives(options.students, memories=options.memories))
    for access in made:
        give_life(access)
    turns = take_turns(open_conversations(made))
    share, rate = core_share(), options.students / options.every
    messages = max(1, round(rate * options.seconds))
    with _timing_waits():
        asyncio.run(chat(turns, _say, rate=rate, goes_on=so_many(WARM_UP * options.students)))
        began = process_time()
        answered = asyncio.run(chat(turns, _say, rate=rate, goes_on=so_many(messages)))
        cpu_ms = (process_time() - began) * 1000 / messages
    yield (
        f"{options.students} students of {options.memories} memories, each a message every "
        f"{options.every:g} s for {options.seconds:g} s."
    )
    yield from render(answered)
    yield f"A turn took {cpu_ms:.1f} ms of processor time, everything included."
    yield f"This process had {share:.0%} of a core before."


def render(answered: Sequence[Answered]) -> Iterator[str]:
    """Yield the table: the whole, then step by step, and whether the bar holds."""
    yield f"{'':28}{'messages':>10}{'ms p50':>10}{'ms p95':>10}"
    first = [one.first_ms or 0.0 for one in answered]
    embedder = [one.embed_ms for one in answered]
    own = [whole - embed for whole, embed in zip(first, embedder, strict=True)]
    yield f"{_row('the turn, embedder apart', own)}  {tell_bar(percentiles(own)['ms_p95'], BAR_MS)}"
    yield _row("to the first word, all", first)
    yield _row("embedder", embedder)
    steps: dict[str, list[float]] = defaultdict(list)
    for one in answered:
        for name, ms in one.steps_ms.items():
            steps[name].append(ms)
    yield from (_row(f"  {name}", times) for name, times in steps.items())
    yield f"answered whole: {sum(one.complete for one in answered)} of {len(answered)}"


def _row(name: str, times_ms: Sequence[float]) -> str:
    found = percentiles(times_ms)
    return f"{name:28}{len(times_ms):10}{found['ms_p50']:10.1f}{found['ms_p95']:10.1f}"


#: What a turn has waited for vectors of others than its message, in ms each time, after the moment at which it had.
_waits: ContextVar[list[tuple[float, float]]] = ContextVar("waits")


@contextmanager
def _timing_waits() -> Iterator[None]:
    """Have each turn know how long it waits for the vectors of what an answer is looked for in."""
    plain = vectors.embed_and_wait

    def timed(texts: Sequence[str]) -> Vectors:
        began = monotonic()
        try:
            return plain(texts)
        finally:
            _waits.get().append((monotonic(), (monotonic() - began) * 1000))

    vectors.embed_and_wait = timed
    try:
        yield
    finally:
        vectors.embed_and_wait = plain


async def _say(chatter: Chatter, text: str, due: float) -> Answered:
    waits = list[tuple[float, float]]()
    _waits.set(waits)
    gateway = Gateway([], offline=OfflineCompanion())
    answered = await say_and_follow(chatter, text, due, gateway=gateway)
    first = due + (answered.first_ms or 0.0) / 1000
    waited = sum(ms for until, ms in waits if until <= first)
    return replace(answered, embed_ms=answered.steps_ms.get("embed", 0.0) + waited)


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


if __name__ == "__main__":
    sys.exit(main())
