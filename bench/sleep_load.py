"""Whether chats wait for others' sleep: `python -m bench.sleep_load`, on a database of its own.

Spaces fall asleep all at once, carried out by the site's own workers, while other students write at a fixed rate (open loop)
and are answered without a language model. The same rate is measured in turn with nobody asleep; the workers form
memories of what is said in both. The web server's HTTP and sockets are left out: a message is received by this process.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.timing import percentiles

if TYPE_CHECKING:
    from bench.chatting import Answered
    from bench.mass_sleep import Heard, Load

MOST_RATIO, BATCH_BAR_S, COMMIT_BAR_MS = 1.5, 30.0, 500.0


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = _parser().parse_args(arguments)
    with scratch_site(durable=True):
        # Only now: models need the settings, and those the database.
        from bench.mass_sleep import Load, measure_load

        given = Load(**vars(options))
        heard = measure_load(given, env=os.environ, tell=_tell_round)
        write_lines(render_report(given, heard))


def render_report(given: "Load", heard: "Heard") -> Iterator[str]:
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


def _render_nights(given: "Load", heard: "Heard") -> Iterator[str]:
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
    p50, p95 = _percentile(values, 50), _percentile(values, 95)
    return f"p50 {p50:.3g} {unit}, p95 {p95:.3g} {unit}  {_held(p95, bar)}"


def _render_times(
    name: str, times_ms: Sequence[float], *, beside: Sequence[float] = (), bar: float | None = None
) -> str:
    found = percentiles(times_ms)
    line = f"{name:32}{len(times_ms):10}{found['ms_p50']:10.1f}{found['ms_p95']:10.1f}"
    if not beside:
        return line
    ratio = found["ms_p95"] / percentiles(beside)["ms_p95"]
    return f"{line}{ratio:14.2f}" + ("" if bar is None else f"  {_held(ratio, bar)}")


def _tell_round(heard: "Heard") -> None:
    """Tell how the last round went."""
    both = (("quiet", heard.quiet[-1]), ("asleep", heard.asleep[-1]))
    parts = [
        f"{name} {_percentile(_first(answered), 50):.0f} / {_percentile(_first(answered), 95):.0f} ms"
        for name, answered in both
    ]
    night, share = heard.nights[-1], heard.shares[-1]
    sys.stderr.write(
        f"{', '.join(parts)} (p50 / p95); asleep after {night.took_s:.0f} s; {share:.0%} of a core\n"
    )
    sys.stderr.flush()


def _ratio(quiet: "Iterable[Answered]", asleep: "Iterable[Answered]") -> float:
    return _percentile(_first(asleep), 95) / _percentile(_first(quiet), 95)


def _first(answered: "Iterable[Answered]") -> list[float]:
    return [each.first_ms for each in answered if each.first_ms is not None]


def _stored(answered: "Iterable[Answered]") -> list[float]:
    return [each.stored_ms for each in answered if each.stored_ms is not None]


def _percentile(values: Sequence[float], percent: int) -> float:
    return float(np.percentile(values, percent)) if values else float("nan")


def _held(value: float, bar: float) -> str:
    return f"{'ok' if value <= bar else 'OVER'} (≤ {bar:g})"


def _parser() -> argparse.ArgumentParser:
    parser = make_parser("sleep_load", __doc__)
    parser.add_argument("--spaces", type=int, default=20, help="that fall asleep at once (default: 20)")
    parser.add_argument("--memories", type=int, default=60, help="of every student, short-term (default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="processes that carry out jobs (default: 2)")
    parser.add_argument("--rate", type=float, default=2.0, help="messages a second (default: 2)")
    parser.add_argument("--students", type=int, default=20, help="who write them (default: 20)")
    parser.add_argument("--seconds", type=float, default=40.0, help="of quiet in a round (default: 40)")
    parser.add_argument("--rounds", type=int, default=3, help="quiet and asleep in turn (default: 3)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
