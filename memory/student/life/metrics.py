"""Measures of a day: sleep, steps, active minutes, resting pulse. The space is unlocked by the caller."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from uuid import UUID

from django.db import models
from django.utils import timezone

from companion_site.audit.services import record_event
from companion_site.vault.columns import opener
from companion_site.vault.scope import space_scope, write_scope
from memory.models import DailyMetric
from memory.student.life.limits import NotInRange

Name = DailyMetric.Name
#: The least and the most of each measure; whoever sleeps less than nothing is mistaken.
RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        Name.SLEEP_HOURS: (0, 24),
        Name.STEPS: (0, 200_000),
        Name.ACTIVE_MINUTES: (0, 1_440),
        Name.RESTING_PULSE: (20, 250),
    }
)
#: What is counted and has no half.
WHOLE = frozenset({Name.STEPS, Name.ACTIVE_MINUTES, Name.RESTING_PULSE})
#: Days before today of which measures are taken.
OLDEST_DAYS = 366
Numbers = dict[str, float]


def set_measures(
    space: UUID,
    day: date,
    values: Numbers,
    *,
    now: datetime,
    received_at: datetime | None = None,
    actor: models.Model | None = None,
) -> list[UUID]:
    """Set measures of one day; return the rows that changed. What was received later stays as it is.

    Args:
        received_at: where they come out of a box: when that was sealed; else now.

    Raises:
        NotInRange: a number or the day cannot be right; nothing is set.
    """
    received_at = received_at or now
    check_day(day, now=received_at)
    numbers = {name: check_value(name, value) for name, value in values.items()}
    changed: list[UUID] = []
    with write_scope(space):
        rows = DailyMetric.objects.for_space(space).filter(day=day, name__in=numbers)
        held = {row.name: row for row in rows}
        for name, number in numbers.items():
            row = held.get(name) or DailyMetric(space_id=space, day=day, name=name, received_at=received_at)
            if row.received_at > received_at:
                continue
            is_known = name in held and row.value["value"] == number
            # Said again it is as new as it was said last: what was delayed on its way does not replace it.
            row.value, row.received_at = {"value": number}, received_at
            row.save()
            if not is_known:
                changed.append(row.pk)
        if changed:
            data = {"rows": [str(row) for row in changed]}
            record_event("memory.measures_set", chain=space, actor=actor, data=data, now=now)
    return changed


def list_measures(space: UUID, *, since: date) -> dict[date, Numbers]:
    """Return the measures of each day that has one, by name, the newest day first."""
    days: dict[date, Numbers] = defaultdict(dict)
    with space_scope(space):
        rows = DailyMetric.objects.for_space(space).filter(day__gte=since).order_by("-day")
        open_value = opener(space, DailyMetric, "value")
        for pk, day, name, box in rows.values_list("pk", "day", "name", "value"):
            days[day][name] = open_value(pk, box)["value"]
    return dict(days)


def measures_of(space: UUID, day: date) -> Numbers:
    """Return the measures of one day by name; empty where there are none."""
    return list_measures(space, since=day).get(day, {})


def check_value(name: str, value: float) -> float:
    """Return a number as it is kept.

    Raises:
        NotInRange: there is no such measure, or nobody has so much of it.
    """
    least, most = RANGES.get(name, (1, 0))
    if not least <= value <= most or (name in WHOLE and value != int(value)):
        raise NotInRange()
    return int(value) if name in WHOLE else round(float(value), 2)


def check_day(day: date, *, now: datetime) -> None:
    """Refuse a day that has not begun anywhere, or that is over a year ago.

    Raises:
        NotInRange.
    """
    today = timezone.localdate(now)
    if not today - timedelta(days=OLDEST_DAYS) <= day <= today + timedelta(days=1):
        raise NotInRange()
