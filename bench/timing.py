"""How long things take: several in turn, so that a busy machine is as unfair to one as to another."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter, process_time

import numpy as np


def percentiles(times_ms: Sequence[float]) -> dict[str, float]:
    """Return {"ms_p50": ..., "ms_p95": ...}, in milliseconds; empty for no times."""
    if not times_ms:
        return {}
    p50, p95 = np.percentile(times_ms, [50, 95])
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
