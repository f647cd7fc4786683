"""What to watch of agents' memories: coverage, drift, utility, hygiene. Counted from plain columns: no key is needed for them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Avg, Case, Count, IntegerField, Max, Q, When
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone

from companion_site.accounts.access import Access
from companion_site.vault.scope import space_scope
from memory.models import AgentContext

Outcome = AgentContext.Outcome
#: What contexts came to, by name; None where there is nothing to count.
MEASURES = {
    #: that were built
    "contexts": Count("working_set"),
    #: share of those with a domain whose knowledge holds a node of it
    "coverage": Avg(Cast("covered", IntegerField())),
    #: mean cosine distance of the query and the three best nodes of its knowledge
    "distance": Avg("drift"),
    #: how many known outcomes there are, and the share of them that were good
    "outcomes": Count("pk", filter=~Q(outcome="")),
    "utility": Avg(Case(When(outcome=Outcome.HELPED, then=1.0), When(outcome=Outcome.FAILED, then=0.0))),
    #: the most nodes in the working set of activation, and the mean of their mean resonance
    "held": Max("working_set"),
    "warmth": Avg("resonance"),
}
#: Days with drift below which its halves are not compared.
DAYS_TO_COMPARE = 4
Figures = Mapping[str, Any]


def figures(access: Access, *, since: datetime, now: datetime) -> dict[str, Any]:
    """Return {"total", "days"}: `MEASURES` of the time from `since` until `now`, and of each day on which something was.

    Days are those of the site's time zone, by "day", in order; that of the total is None.
    """
    contexts = AgentContext.objects.for_space(access.space).filter(saved_at__gte=since, saved_at__lte=now)
    day = TruncDate("saved_at", tzinfo=timezone.get_default_timezone())
    with space_scope(access.space, reading=True):
        by_day = contexts.annotate(day=day).order_by("day").values("day").annotate(**MEASURES)
        return {"total": {"day": None, **contexts.aggregate(**MEASURES)}, "days": list(by_day)}


def change_of_drift(days: Sequence[Figures]) -> float | None:
    """Return by how much the later half of the days drifted more than the earlier one; None of fewer than four days.

    How far a good answer lies from its question depends on the embedding model, so only a change tells something.
    """
    drifted = [day for day in days if day["distance"] is not None and day["contexts"]]
    if len(drifted) < DAYS_TO_COMPARE:
        return None
    middle = len(drifted) // 2
    return _weighted(drifted[middle:]) - _weighted(drifted[:middle])


def _weighted(days: Sequence[Figures]) -> float:
    """Return the mean distance of days, each by its contexts."""
    return sum(day["distance"] * day["contexts"] for day in days) / sum(day["contexts"] for day in days)


def times_hundred(value: float | None) -> float | None:
    return None if value is None else 100 * value
