"""What to watch of an agent's memory: coverage, drift, utility, hygiene, by day. Numbers only: no key is needed for them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from companion_site.accounts.access import Access
from companion_site.vault.scope import space_scope
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


def figures(access: Access, *, since: datetime, now: datetime) -> Observed:
    """Return the figures from `since` until `now`; days are those of the site's time zone."""
    with space_scope(access.space, reading=True):
        contexts = AgentContext.objects.for_space(access.space).defer("content").order_by("id")
        rows = list(contexts.filter(saved_at__gte=since, saved_at__lte=now))
    by_day: dict[date, list[AgentContext]] = defaultdict(list)
    for row in rows:
        by_day[timezone.localtime(row.saved_at, timezone.get_default_timezone()).date()].append(row)
    return Observed(_sum_up(None, rows), [_sum_up(day, by_day[day]) for day in sorted(by_day)])


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


def _sum_up(day: date | None, rows: Sequence[AgentContext]) -> Figures:
    sizes = [row.working_set for row in rows if row.working_set is not None]
    helped = [row.outcome == AgentContext.Outcome.HELPED for row in rows if row.outcome]
    return Figures(
        day=day,
        contexts=len(sizes),
        coverage=_mean(row.covered for row in rows),
        drift=_mean(row.drift for row in rows),
        outcomes=len(helped),
        utility=_mean(helped),
        working_set=max(sizes, default=None),
        resonance=_mean(row.resonance for row in rows),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def times_hundred(value: float | None) -> float | None:
    return None if value is None else 100 * value
