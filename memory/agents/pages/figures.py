"""The figures of one agent as pictures over days, and how each of them stands: what it means, and what to do when it is bad."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext as _

from companion_site.days import start_of
from companion_site.metrics.charts import Picture, draw
from companion_site.metrics.counts import days_until
from companion_site.metrics.figures import Chart, Series, Standing, Tone, shown_number, shown_share
from memory.agents.access import AgentAccess
from memory.agents.observability import Figures, Observed, change_of_drift, figures
from memory.agents.params import CONTEXT

#: Spans that can be looked at, in days; the first is shown.
SPANS = (14, 30, 90)
#: Below these shares something should be done; utility says nothing of fewer outcomes than this.
LEAST_COVERAGE, LEAST_UTILITY, LEAST_OUTCOMES = 0.7, 0.6, 5
#: A rise of the mean distance that is more than chance.
MOST_DRIFT_RISE = 0.08
#: Of the nodes that the working set holds at the most, the share from which it is crowded.
CROWDED = 0.9
HUNDREDTHS = 100


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the page of figures shows."""

    contexts: int
    standings: Sequence[Standing]
    pictures: Sequence[Picture]


def see(access: AgentAccess, *, span: int, now: datetime) -> Seen:
    """Return the figures of an agent over the last `span` days."""
    days = days_until(now, span)
    observed = figures(access, since=start_of(days[0]), now=now)
    return Seen(
        contexts=observed.total.contexts,
        standings=[_coverage(observed), _drift(observed), _utility(observed), _hygiene(observed)],
        pictures=[draw(chart) for chart in _charts(observed, days)],
    )


def _coverage(observed: Observed) -> Standing:
    share = observed.total.coverage
    is_well = share is None or share >= LEAST_COVERAGE
    return Standing(
        label=_("Coverage"),
        value=shown_share(share),
        is_well=is_well,
        advice=""
        if is_well
        else _(
            "Too often nothing of the domain is at hand. Mount a pack of it, teach the agent its basics, "
            "or correct the agent's domains if they are not what it works on."
        ),
        share=share,
    )


def _drift(observed: Observed) -> Standing:
    rise = change_of_drift(observed.days)
    is_well = rise is None or rise <= MOST_DRIFT_RISE
    return Standing(
        label=_("Drift"),
        value=_hundredths(observed.total.drift),
        is_well=is_well,
        advice=""
        if is_well
        else _(
            "What is found lies further from the questions than it did. The work may have moved on: teach the new "
            "topics or mount a pack of them, and remove what is stale."
        ),
    )


def _utility(observed: Observed) -> Standing:
    share, count = observed.total.utility, observed.total.outcomes
    is_well = share is None or count < LEAST_OUTCOMES or share >= LEAST_UTILITY
    return Standing(
        label=_("Utility"),
        value=shown_share(share),
        is_well=is_well,
        advice=""
        if is_well
        else _(
            "Many contexts did not help. Look at the latest ones that failed: put wrong nodes right or remove them, "
            "and take off packs that do not fit."
        ),
        share=share,
    )


def _hygiene(observed: Observed) -> Standing:
    most = CONTEXT.activation.most_in_working_set
    held = observed.total.working_set
    is_well = held is None or held < CROWDED * most
    return Standing(
        label=_("Hygiene"),
        value=shown_number(held),
        is_well=is_well,
        advice=""
        if is_well
        else _(
            "So many nodes are lively that new ones push others out. Have the agent merge what says the same, "
            "and note fewer episodes."
        ),
        share=None if held is None else held / most,
    )


def _charts(observed: Observed, days: Sequence[date]) -> list[Chart]:
    return [
        _of_coverage(observed, days),
        _of_drift(observed, days),
        _of_utility(observed, days),
        *_of_hygiene(observed, days),
    ]


def _of_coverage(observed: Observed, days: Sequence[date]) -> Chart:
    return Chart(
        slug="coverage",
        title=_("Coverage"),
        told=_(
            "Of the contexts built for a task with a domain, the share whose knowledge held at least one node of it. "
            "Low: the agent works on what it knows nothing of. Mount a pack of that domain, or teach it."
        ),
        kind="lines",
        unit="%",
        days=days,
        series=[_series(_("Covered"), "one", observed, days, lambda day: _times_hundred(day.coverage))],
    )


def _of_drift(observed: Observed, days: Sequence[date]) -> Chart:
    return Chart(
        slug="drift",
        title=_("Drift"),
        told=_(
            "How far the three best nodes lay from the question, in hundredths: 0 says the same, 100 has nothing in common. "
            "What is usual depends on the embedding model; a line that rises means that memory and work grow apart."
        ),
        kind="lines",
        unit="/ 100",
        days=days,
        series=[_series(_("Distance"), "two", observed, days, lambda day: _times_hundred(day.drift))],
    )


def _of_utility(observed: Observed, days: Sequence[date]) -> Chart:
    return Chart(
        slug="utility",
        title=_("Utility"),
        told=_(
            "How contexts ended, where the agent said so. What did not help weighs its sources down by itself; "
            "many failures mean that wrong or stale nodes are shown."
        ),
        kind="bars",
        days=days,
        series=[
            _series(_("Helped"), "good", observed, days, _helped),
            _series(_("Failed"), "bad", observed, days, lambda day: day.outcomes - _helped(day)),
        ],
        beside=_series(_("Utility"), "good", observed, days, lambda day: day.utility),
    )


def _of_hygiene(observed: Observed, days: Sequence[date]) -> list[Chart]:
    most = CONTEXT.activation.most_in_working_set
    return [
        Chart(
            slug="working-set",
            title=_("Hygiene: the working set"),
            told=_(
                "The most nodes that were lively at once; there is room for %(most)d. A line that only climbs means that "
                "much is noted and little is used again: merge, and note less."
            )
            % {"most": most},
            kind="lines",
            days=days,
            series=[_series(_("Nodes"), "three", observed, days, lambda day: day.working_set)],
        ),
        Chart(
            slug="resonance",
            title=_("Hygiene: resonance"),
            told=_(
                "How lively they were on average, in hundredths. It falls with each context that does not use a node. "
                "Near 5 everything is about to be forgotten: the tasks are new to this memory."
            ),
            kind="lines",
            unit="/ 100",
            days=days,
            series=[
                _series(_("Mean resonance"), "one", observed, days, lambda day: _times_hundred(day.resonance))
            ],
        ),
    ]


def _series(
    label: str, tone: Tone, observed: Observed, days: Sequence[date], value: Callable[[Figures], float | None]
) -> Series:
    by_day = {one.day: one for one in observed.days}
    return Series(
        label=label, tone=tone, values=[value(by_day[day]) if day in by_day else None for day in days]
    )


def _helped(day: Figures) -> float:
    return round((day.utility or 0.0) * day.outcomes)


def _times_hundred(value: float | None) -> float | None:
    return None if value is None else HUNDREDTHS * value


def _hundredths(value: float | None) -> str:
    return shown_number(None) if value is None else f"{shown_number(HUNDREDTHS * value)} / {HUNDREDTHS}"
