"""What to watch of agents' memories: coverage, drift, utility, hygiene, of one agent and, as the setting `FIGURES` names them, of all.

Counted from what each context left in plain columns when it was kept: no key is needed. Of all agents by the role that sees no
content; no label and no cell says whose agent it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from operator import itemgetter
from typing import Any

from django.db.models import Avg, Case, Count, IntegerField, Max, Q, QuerySet, When
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone
from django.utils.translation import gettext as _

from companion_site.accounts.access import Access
from companion_site.days import start_of
from companion_site.ids import first_id
from companion_site.metrics.counts import Percentile, count_by, days_until, gauge_windows, label, spread
from companion_site.metrics.figures import Chart, Gauge, Samples, Series, Tone
from companion_site.vault.models import Space
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


#: A context that the site built has a working set; those that programs built themselves are saved without numbers.
BUILT = Q(working_set__isnull=False)
KINDS = {"built": BUILT, "saved": ~BUILT}
#: Metrics by their names: what they tell, and their labels beside the window.
GAUGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "companion_agent_contexts": (
        "Contexts of agents that were kept: built here, or saved by a program.",
        ("kind",),
    ),
    "companion_agent_coverage_ratio": (
        "Of the contexts with a domain, the share whose knowledge held a node of it; absent where none had one.",
        (),
    ),
    "companion_agent_drift": (
        "Cosine distance of the question and the three best nodes of its knowledge, 0 to 2.",
        ("stat",),
    ),
    "companion_agent_outcomes": ("Contexts whose outcome is known, by how they ended.", ("outcome",)),
    "companion_agent_utility_ratio": (
        "Share of the known outcomes that were good; absent where none is known.",
        (),
    ),
    "companion_agent_working_set_nodes": ("Nodes in one agent's working set after a context.", ("stat",)),
    "companion_agent_resonance": (
        "Mean resonance of the nodes in a working set after a context, 0 to 1.",
        ("stat",),
    ),
}


def contexts_between(since: datetime, until: datetime) -> QuerySet[AgentContext]:
    """Return the contexts kept between two moments, of all agents."""
    # Across spaces, so by the role that sees no content.
    rows = AgentContext.objects.using("metadata").filter(pk__gte=first_id(since))
    return rows.filter(saved_at__gte=since, saved_at__lte=until).order_by()


def gauges(now: datetime) -> Iterator[Gauge]:
    """Yield what a scraper is told."""
    standing = Space.objects.filter(kind=Space.Kind.AGENT, closed_at__isnull=True).count()
    yield Gauge(name="companion_agents", told="Agents that stand.", samples={(): standing})
    yield from gauge_windows(GAUGES, _count, now)


def charts(now: datetime) -> Iterator[Chart]:
    """Yield how the contexts of all agents did, day by day."""
    days = days_until(now)
    rows = contexts_between(start_of(days[0]), now).annotate(day=TruncDate("saved_at")).values("day")
    told = list(
        rows.annotate(
            with_it=Count("pk", filter=Q(covered=True)),
            uncovered=Count("pk", filter=Q(covered=False)),
            without=Count("pk", filter=BUILT & Q(covered__isnull=True)),
            **MEASURES,
        )
    )
    yield _contexts(told, days)
    yield _outcomes(told, days)


def _count(window: str, since: datetime, now: datetime) -> dict[str, Samples]:
    """Return the samples of one window by the name of their metric; of what was never measured there are none."""
    rows = contexts_between(since, now)
    told = rows.aggregate(
        **MEASURES, drift_p95=Percentile("drift", share=0.95), nodes_mean=Avg("working_set")
    )
    samples: dict[str, Mapping[tuple[str, ...], float | None]] = {
        "companion_agent_contexts": {
            (window, kind): rows.filter(which).count() for kind, which in KINDS.items()
        },
        "companion_agent_coverage_ratio": {(window,): told["coverage"]},
        "companion_agent_drift": {(window, "mean"): told["distance"], (window, "p95"): told["drift_p95"]},
        "companion_agent_outcomes": label(window, count_by(rows, "outcome", Outcome)),
        "companion_agent_utility_ratio": {(window,): told["utility"]},
        "companion_agent_working_set_nodes": {
            (window, "mean"): told["nodes_mean"],
            (window, "max"): told["held"],
        },
        "companion_agent_resonance": {(window, "mean"): told["warmth"]},
    }
    return {
        name: {key: value for key, value in found.items() if value is not None}
        for name, found in samples.items()
    }


def _contexts(told: Sequence[Figures], days: Sequence[date]) -> Chart:
    def series(label: str, tone: Tone, name: str) -> Series:
        return Series(label=label, tone=tone, values=spread(told, days, itemgetter(name)))

    return Chart(
        slug="agent-contexts",
        title=_("Contexts of agents"),
        told=_(
            "Contexts built for agents' tasks, by whether their knowledge held something of the task's domain. Many that "
            "did not: a pack of what agents here work on would help."
        ),
        kind="bars",
        days=days,
        series=[
            series(_("Covered"), "good", "with_it"),
            series(_("Not covered"), "bad", "uncovered"),
            series(_("No domain named"), "quiet", "without"),
        ],
        beside=series(_("Coverage"), "good", "coverage"),
    )


def _outcomes(told: Sequence[Figures], days: Sequence[date]) -> Chart:
    return Chart(
        slug="agent-drift",
        title=_("Drift and utility of agents"),
        told=_(
            "How far the best nodes lay from the question, in hundredths, and of 100 contexts whose end is known those that "
            "helped. Drift that rises on one day for all: look whether the embedding model was changed."
        ),
        kind="lines",
        unit="/ 100",
        days=days,
        series=[
            hundredths(_("Drift"), "two", told, days, "distance"),
            hundredths(_("Utility"), "one", told, days, "utility"),
        ],
    )


def hundredths(label: str, tone: Tone, told: Sequence[Figures], days: Sequence[date], name: str) -> Series:
    """Return a measure that is a share or a distance as a line in hundredths."""
    return Series(label=label, tone=tone, values=spread(told, days, lambda day: times_hundred(day[name])))
