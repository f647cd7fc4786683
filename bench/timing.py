"""How long things take: several in turn, so that a busy machine is as unfair to one as to another."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np


def percentiles(times_ms: Sequence[float]) -> dict[str, float]:
    """Return {"ms_p50": ..., "ms_p95": ...}, in milliseconds; no numbers for no times."""
    p50, p95 = np.percentile(times_ms, [50, 95]) if len(times_ms) else (np.nan, np.nan)
    return {"ms_p50": round(float(p50), 3), "ms_p95": round(float(p95), 3)}


def time_ms(work: Callable[[], object]) -> float:
    """Return how many milliseconds `work` takes, once."""
    started = perf_counter()
    work()
    return (perf_counter() - started) * 1000


def interleave(
    works: Mapping[str, Callable[[], object]], *, rounds: int, warm_up: int = 3
) -> dict[str, list[float]]:
    """Return each work's times in ms, one of each per round; the first `warm_up` rounds do not count."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for number in range(warm_up + rounds):
        for name, work in works.items():
            taken = time_ms(work)
            if number >= warm_up:
                times[name].append(taken)
    return times


def core_share(*, seconds: float = 0.5) -> float:
    """Return the share of one core that this process gets, 0 to 1: below .95 the machine is busy with other things."""
    started, used = perf_counter(), process_time()
    while perf_counter() - started < seconds:
        sum(range(1_000))
    return min(1.0, (process_time() - used) / (perf_counter() - started))


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        times_ms: of each round.
        bar_ms: what p95 may be at the most; None where nothing is promised.
        floors: p50 of the least work that it is compared with, by name.
    """

    name: str
    times_ms: Sequence[float]
    bar_ms: float | None = None
    floors: Mapping[str, float] | None = None

    def render(self) -> str:
        """Return the line, with how many times its floors it takes."""
        found = percentiles(self.times_ms)
        bar = "" if self.bar_ms is None else tell_bar(found["ms_p95"], self.bar_ms)
        ratios = ", ".join(
            f"{found['ms_p50'] / floor:.3g} x {name}" for name, floor in (self.floors or {}).items() if floor
        )
        return f"{self.name:52}{found['ms_p50']:10.2f}{found['ms_p95']:10.2f}  {bar:14}{ratios}"


def tell_bar(value: float, bar: float) -> str:
    """Return whether a bar holds, and the bar."""
    return f"{'ok' if value <= bar else 'OVER'} (≤ {bar:g})"


HEADING = f"{'':52}{'ms p50':>10}{'ms p95':>10}  {'bar (p95)':14}p50 beside"


def table(rows: Iterable[Row | str]) -> Iterator[str]:
    """Yield the table line by line, as it is measured, and how busy the machine is."""
    yield HEADING
    for row in rows:
        yield row if isinstance(row, str) else row.render()
    yield f"\nThis process had {core_share():.0%} of a core at the end."
