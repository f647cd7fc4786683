"""How far back figures look, and the days of a picture."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TypeVar

from django.utils import timezone

from companion_site.ids import first_id as first_id
from companion_site.metrics.figures import DAYS

#: What a scrape looks back on, by the value of the label `window`.
WINDOWS = {"1h": timedelta(hours=1), "24h": timedelta(hours=24)}

V = TypeVar("V")


def days_until(now: datetime, count: int = DAYS) -> list[date]:
    """Return the last `count` days of the site's calendar, today the last."""
    today = timezone.localdate(now)
    return [today - timedelta(days=back) for back in reversed(range(count))]


def spread(rows: Iterable[Mapping], days: Sequence[date], value: Callable[[Mapping], V]) -> list[V | None]:
    """Return what `rows` say of each day, None of a day that none of them is about."""
    found = {row["day"]: value(row) for row in rows}
    return [found.get(day) for day in days]
