"""What gauges and pictures count in common: young rows, by a value, by the day, and how long something took."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Any, TypeVar

from django.db.models import Aggregate, Avg, Choices, Count, FloatField, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone

from companion_site.metrics.figures import DAYS, Gauge, Samples

#: The percentiles that speed is told by, with their names as labels.
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
#: What a scrape looks back on, by the value of the label `window`.
WINDOWS = {"1h": timedelta(hours=1), "24h": timedelta(hours=24)}
V = TypeVar("V")


class Percentile(Aggregate):
    """The value that a share of all values does not exceed, interpolated; null where there is none."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()

    def __init__(self, expression, *, share: float, **extra):
        super().__init__(expression, share=float(share), **extra)


def statistics_of(column: str | Combinable) -> dict[str, Aggregate]:
    """Return mean and percentiles of a column, by their names."""
    return {
        "mean": Avg(column),
        **{name: Percentile(column, share=share) for name, share in QUANTILES.items()},
    }


def days_until(now: datetime, count: int = DAYS) -> list[date]:
    """Return the last `count` days of the site's calendar, today the last."""
    today = timezone.localdate(now)
    return [today - timedelta(days=back) for back in reversed(range(count))]


def spread(rows: Iterable[Mapping], days: Sequence[date], value: Callable[[Mapping], V]) -> list[V | None]:
    """Return what `rows` say of each day, None of a day that none of them is about."""
    found = {row["day"]: value(row) for row in rows}
    return [found.get(day) for day in days]


def count_by(rows: QuerySet, column: str, choices: type[Choices]) -> dict[str, int]:
    """Return how many rows have each of the values that a column can have, nought of them included."""
    counts = dict(rows.values_list(column).annotate(count=Count("pk")))
    return {value: counts.get(value, 0) for value in choices.values}


def gauge_windows(
    metrics: Mapping[str, tuple[str, tuple[str, ...]]],
    count: Callable[[str, datetime, datetime], Mapping[str, Samples]],
    now: datetime,
) -> Iterator[Gauge]:
    """Yield the gauges that look back.

    Args:
        metrics: by their names what they tell, and their labels beside the window.
        count: returns from a window's name, its begin and its end the samples of each.
    """
    counted = [count(window, now - length, now) for window, length in WINDOWS.items()]
    for name, (told, labels) in metrics.items():
        samples = {key: value for one in counted for key, value in one[name].items()}
        yield Gauge(name=name, told=told, labels=("window", *labels), samples=samples)


def label(window: str, numbers: Mapping[str, float]) -> Samples:
    """Return the numbers of one window as samples: its name is the first label, theirs the second."""
    return {(window, name): number for name, number in numbers.items()}


def measure_seconds(rows: QuerySet, window: str, parts: Mapping[str, str | Combinable]) -> Samples:
    """Return mean and percentiles of times by window, part and statistic; none of what was never measured.

    Args:
        parts: columns or expressions in milliseconds, by what they are called.
    """
    asked = {
        (part, stat): expression
        for part, column in parts.items()
        for stat, expression in statistics_of(column).items()
    }
    told = rows.aggregate(**{f"{part}_{stat}": expression for (part, stat), expression in asked.items()})
    found = {key: told["_".join(key)] for key in asked}
    return {(window, *key): value / 1000 for key, value in found.items() if value is not None}


def spread_counts(
    counted: Iterable[Mapping[str, Any]], days: Sequence[date], column: str, value: str
) -> list[float | None]:
    """Return the counts of one value day by day, of rows with `day`, `count` and the column."""
    return spread((row for row in counted if row[column] == value), days, itemgetter("count"))
