"""How fast the site is, on a real database of its own: `python -m bench [FILE...]`, run by `make bench`.

With conversations given, how well memories are found is measured too (`python -m bench.retrieval`).
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.asking import measure_all
from bench.commands import command, keep_quiet, make_parser, write_lines
from bench.recordings import load_measurable
from bench.retrieval import render_report
from bench.scratch import scratch_site
from bench.snr import load_told
from bench.speed import (
    load_ordinary,
    measure_forming,
    measure_loading,
    measure_retrieval,
    measure_turn,
    measure_write,
)
from bench.students import make_space
from bench.timing import HEADING, Row, core_share
from chat.warming import load_for_good
from companion_site.embeddings.service import get_embedder

SMALL, LARGE = 1_000, 10_000
QUIET = 0.95


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("", "Measure speed, and recall on FILEs.")
    parser.add_argument(
        "paths", metavar="FILE", nargs="*", type=Path, help="conversations, or folders of them"
    )
    parser.add_argument("--rounds", type=int, default=200, help="how often recall is measured")
    options = parser.parse_args(arguments)
    conversations = load_measurable(options.paths) if options.paths else []
    with scratch_site(durable=True):
        load_for_good()
        sys.stdout.write(f"{HEADING}\n")
        shares = [core_share()]
        for row in measure_speed(rounds=options.rounds):
            write_lines([row.render()])
            shares.append(core_share(seconds=0.1))
        sys.stdout.write(f"\nThis process had {min(shares):.0%} to {max(shares):.0%} of a core.")
        sys.stdout.write(
            "" if min(shares) > QUIET else " The machine was busy: milliseconds count for little."
        )
        sys.stdout.write("\n")
        if conversations:
            ways = measure_all(conversations, get_embedder(), tell=keep_quiet)
            sys.stdout.write(f"\n{render_report(ways)}\n")


def measure_speed(*, rounds: int, small: int = SMALL, large: int = LARGE) -> Iterator[Row]:
    """Yield the lines of the table as they are measured."""
    few = max(3, rounds // 20)
    space = make_space(small, username="bench-small")
    yield from measure_retrieval(space, rounds=rounds)
    yield from measure_turn(space, rounds=max(3, rounds // 5))
    yield measure_loading(space, rounds=few)
    yield measure_write(space, rounds=few)
    formed = max(few, rounds // 4)
    yield from measure_forming(space, load_ordinary(formed + 3), rounds=formed)
    # Most of the labelled messages, each once: what is said again is stored faster.
    yield from measure_forming(space, load_told(), rounds=formed, name=" in two passes or three")
    space = make_space(large, username="bench-large")
    yield measure_loading(space, rounds=3)
    yield measure_write(space, rounds=3)


if __name__ == "__main__":
    sys.exit(main())
