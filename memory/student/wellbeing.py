"""How a student seems to be, from metadata alone: alerts, the trend of valence, activity; never a word of content.

Everything across spaces is read by the database role that has no right to a sealed column, so that not even a mistake here
could show one. Who may ask about whom is the caller's to check.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

import numpy as np
from django.db.models.functions import TruncDate

from companion_site.audit.models import AuditEvent
from companion_site.days import start_of_today
from ledger.models import ThreatAlert
from ledger.services import alerts_for_spaces
from memory.algorithms.trends import Trend, Weeks, fit_trend, group_by_week
from memory.models import MemoryNode, MemorySource

WEEKS = 8
ACTIVITY_DAYS = 28
#: what the student said themselves, here or in a tutoring session
SAID = (MemorySource.Kind.MESSAGE, MemorySource.Kind.TRANSCRIPT)


@dataclass(frozen=True, kw_only=True)
class Wellbeing:
    """The indicators of one space."""

    alerts: Sequence[ThreatAlert]
    weeks: Weeks
    trend: Trend
    #: memories of the person's own that formed in these weeks
    memories: int
    #: days of the last 28 with anything said or a log-in
    active_days: int
    last_active: date | None

    @property
    def unseen(self) -> int:
        return sum(alert.seen_at is None for alert in self.alerts)


def indicate_wellbeing(spaces: Iterable[UUID], *, now: datetime) -> dict[UUID, Wellbeing]:
    """Return the indicators of each space; a fixed number of queries, however many there are."""
    wanted = list(spaces)
    alerts: dict[UUID, list[ThreatAlert]] = defaultdict(list)
    for alert in alerts_for_spaces(wanted):
        alerts[alert.space_id].append(alert)
    feelings, active = _read_feelings(wanted, now=now), _read_active_days(wanted, now=now)
    found = {}
    for space in wanted:
        felt, days = feelings.get(space, []), active.get(space, set())
        ages = np.array([(now - formed) / timedelta(days=1) for formed, _, _ in felt])
        valences, saliences = (np.array([row[column] for row in felt]) for column in (1, 2))
        weeks = group_by_week(ages, valences, weights=saliences, weeks=WEEKS)
        found[space] = Wellbeing(
            alerts=alerts[space],
            weeks=weeks,
            trend=fit_trend(weeks),
            memories=int(weeks.counts.sum()),
            active_days=len(days),
            last_active=max(days, default=None),
        )
    return found


def _read_feelings(
    spaces: Sequence[UUID], *, now: datetime
) -> Mapping[UUID, list[tuple[datetime, float, float]]]:
    """Return (formed, valence, salience) of what each person said themselves; what came of it since does not matter."""
    rows = MemoryNode.objects.using("metadata").filter(
        space_id__in=spaces,
        trust=MemoryNode.Trust.PERSON,
        formed_at__gt=now - timedelta(weeks=WEEKS),
        formed_at__lte=now,
    )
    grouped: dict[UUID, list[tuple[datetime, float, float]]] = defaultdict(list)
    for space, formed, valence, salience in rows.values_list("space_id", "formed_at", "valence", "salience"):
        grouped[space].append((formed, valence, salience))
    return grouped


def _read_active_days(spaces: Sequence[UUID], *, now: datetime) -> Mapping[UUID, set[date]]:
    """Return the days, in local time, on which each person logged in or said something that is remembered."""
    since = start_of_today(now, days_ago=ACTIVITY_DAYS - 1)
    said = MemorySource.objects.using("metadata").filter(
        space_id__in=spaces, kind__in=SAID, said_at__gte=since, said_at__lte=now
    )
    opened = AuditEvent.objects.filter(chain__in=spaces, action="vault.unlocked", at__gte=since, at__lte=now)
    grouped: dict[UUID, set[date]] = defaultdict(set)
    # Told apart by the database: a class says thousands of things in four weeks.
    for rows in (
        said.order_by().values_list("space_id", TruncDate("said_at")).distinct(),
        opened.order_by().values_list("chain", TruncDate("at")).distinct(),
    ):
        for space, day in rows:
            grouped[space].add(day)
    return grouped
