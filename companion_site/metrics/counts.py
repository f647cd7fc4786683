"""What gauges and pictures count in common: young rows, by a value, by the day, and how long something took."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Any

from django.db.models import Avg, Choices, Count, QuerySet
from django.db.models.expressions import Combinable

from companion_site.metrics.figures import Samples
from companion_site.metrics.percentiles import QUANTILES, Percentile
from companion_site.metrics.windows import spread


def count_by(rows: QuerySet, column: str, choices: type[Choices]) -> dict[str, int]:
    """Return how many rows have each of the values that a column can have, nought of them included."""
    counts = dict(rows.values_list(column).annotate(count=Count("pk")))
    return {value: counts.get(value, 0) for value in choices.values}


def label(window: str, numbers: Mapping[str, float]) -> Samples:
    """Return the numbers of one window as samples: its name is the first label, theirs the second."""
    return {(window, name): number for name, number in numbers.items()}


def measure_seconds(rows: QuerySet, window: str, parts: Mapping[str, str | Combinable]) -> Samples:
    """Return mean and percentiles of times by window, part and statistic; none of what was never measured.

    Args:
        parts: columns or expressions in milliseconds, by what they are called.
    """
    asked: dict[tuple[str, str], Any] = {}
    for part, column in parts.items():
        asked[part, "mean"] = Avg(column)
        asked |= {(part, name): Percentile(column, share=share) for name, share in QUANTILES.items()}
    told = rows.aggregate(**{f"{part}_{stat}": expression for (part, stat), expression in asked.items()})
    found = {key: told["_".join(key)] for key in asked}
    return {(window, *key): value / 1000 for key, value in found.items() if value is not None}


def spread_counts(
    counted: Iterable[Mapping[str, Any]], days: Sequence[date], column: str, value: str
) -> list[float | None]:
    """Return the counts of one value day by day, of rows with `day`, `count` and the column."""
    return spread((row for row in counted if row[column] == value), days, itemgetter("count"))
