"""What to watch of an agent's memory: coverage, drift, utility, hygiene, by day. Numbers only: no key is needed for them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from companion_site.vault.scope import space_scope
from memory.agents.access import AgentAccess
from memory.models import AgentContext

#: Days with drift below which its halves are not compared.
DAYS_TO_COMPARE = 4


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What a span of time, or one of its days, came to; None where there is nothing to count.

    Attributes:
        contexts: that were built.
        coverage: share of those with a domain whose knowledge holds a node of it.
        drift: mean cosine distance of the query and the three best nodes of its knowledge.
        utility: share of the known outcomes that were good; outcomes: how many there are.
        working_set: the most nodes in the working set of activation; resonance: the mean of their mean resonance.
    """

    day: date | None
    contexts: int
    coverage: float | None
    drift: float | None
    outcomes: int
    utility: float | None
    working_set: int | None
    resonance: float | None


@dataclass(frozen=True)
class Observed:
    """The figures of a span of time, and of each of its days on which something was built or came to an end."""

    total: Figures
    days: Sequence[Figures]


Row = tuple[datetime, bool | None, float | None, int | None, float | None, str]


def figures(access: AgentAccess, *, since: datetime, now: datetime) -> Observed:
    """Return the figures from `since` until `now`; days are those of the site's time zone."""
    with space_scope(access.space, reading=True):
        rows = AgentContext.objects.for_space(access.space).filter(saved_at__gte=since, saved_at__lte=now)
        found: list[Row] = list(
            rows.order_by("id").values_list(
                "saved_at", "covered", "drift", "working_set", "resonance", "outcome"
            )
        )
    by_day: dict[date, list[Row]] = defaultdict(list)
    for row in found:
        by_day[timezone.localtime(row[0], timezone.get_default_timezone()).date()].append(row)
    return Observed(_sum_up(None, found), [_sum_up(day, by_day[day]) for day in sorted(by_day)])


def change_of_drift(days: Sequence[Figures]) -> float | None:
    """Return by how much the later half of the days drifted more than the earlier one; None of fewer than four days.

    How far a good answer lies from its question depends on the embedding model, so only a change tells something.
    """
    drifted = [(day.drift, day.contexts) for day in days if day.drift is not None and day.contexts]
    if len(drifted) < DAYS_TO_COMPARE:
        return None
    middle = len(drifted) // 2
    return _weighted(drifted[middle:]) - _weighted(drifted[:middle])


def _weighted(values: Sequence[tuple[float, int]]) -> float:
    """Return the mean of days, each by its contexts."""
    return sum(value * count for value, count in values) / sum(count for _, count in values)


def _sum_up(day: date | None, rows: Sequence[Row]) -> Figures:
    covered = [float(row[1]) for row in rows if row[1] is not None]
    sizes = [row[3] for row in rows if row[3] is not None]
    outcomes = [float(row[5] == AgentContext.Outcome.HELPED) for row in rows if row[5]]
    return Figures(
        day=day,
        contexts=len(sizes),
        coverage=_mean(covered),
        drift=_mean([row[2] for row in rows if row[2] is not None]),
        outcomes=len(outcomes),
        utility=_mean(outcomes),
        working_set=max(sizes, default=None),
        resonance=_mean([row[4] for row in rows if row[4] is not None]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
