"""What the companion adds to a reply: `python -m bench.turn`, on a database of its own.

Students with memories, goals, gratitude, moods, measures and a topic to avoid write at a fixed rate (open loop), each a message
every ten seconds, and are answered by a companion that needs no model and answers at once. Counted from the receipt of a message to
the first word of its reply, the embedder apart. The web server's HTTP and sockets are left out.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.timing import percentiles

if TYPE_CHECKING:
    from bench.turning import Turned

BAR_MS = 60.0


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = _parser().parse_args(arguments)
    with scratch_site(durable=True):
        # Only now: models need the settings, and those the database.
        from bench.turning import measure_turns

        measured = measure_turns(
            students=options.students,
            memories=options.memories,
            every_s=options.every,
            seconds=options.seconds,
        )
        sys.stdout.write(
            f"{options.students} students of {options.memories} memories, each a message every "
            f"{options.every:g} s for {options.seconds:g} s.\n"
        )
        write_lines(render_report(measured.turns))
        sys.stdout.write(f"A turn took {measured.cpu_ms:.1f} ms of processor time, everything included.\n")
        sys.stdout.write(f"This process had {measured.share:.0%} of a core before.\n")


def render_report(turns: "Sequence[Turned]") -> Iterator[str]:
    """Yield the table: the whole, then step by step, and whether the bar holds."""
    yield f"{'':28}{'messages':>10}{'ms p50':>10}{'ms p95':>10}"
    own = [turn.own_ms for turn in turns]
    yield f"{_row('the turn, embedder apart', own)}  {_held(own)}"
    yield _row("to the first word, all", [turn.first_ms for turn in turns])
    yield _row("embedder", [turn.embed_ms for turn in turns])
    for name, times in _by_step(turns).items():
        yield _row(f"  {name}", times)
    yield f"answered whole: {sum(turn.complete for turn in turns)} of {len(turns)}"


def _by_step(turns: "Sequence[Turned]") -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for turn in turns:
        for name, ms in turn.steps_ms.items():
            found[name].append(ms)
    return found


def _row(name: str, times_ms: Sequence[float]) -> str:
    found = percentiles(times_ms)
    return f"{name:28}{len(times_ms):10}{found['ms_p50']:10.1f}{found['ms_p95']:10.1f}"


def _held(times_ms: Sequence[float]) -> str:
    return f"{'ok' if percentiles(times_ms)['ms_p95'] <= BAR_MS else 'OVER'} (≤ {BAR_MS:g})"


def _parser() -> argparse.ArgumentParser:
    parser = make_parser("turn", __doc__)
    parser.add_argument("--students", type=int, default=20, help="who chat (default: 20)")
    parser.add_argument("--memories", type=int, default=200, help="of every student (default: 200)")
    parser.add_argument(
        "--every", type=float, default=10.0, help="seconds from message to message (default: 10)"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="that are measured (default: 60)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
