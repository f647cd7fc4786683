"""The figures of one agent as pictures over days, and how each of them stands: what it means, and what to do when it is bad."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _

from companion_site.accounts.access import Access
from companion_site.days import start_of
from companion_site.metrics.charts import draw
from companion_site.metrics.counts import days_until, spread
from companion_site.metrics.figures import Chart, Series, Standing, Tone, shown_number, shown_share
from memory.agents.figures import Figures, change_of_drift, figures, hundredths, times_hundred
from memory.algorithms.activation import ACTIVATION

#: Spans that can be looked at, in days; the first is shown.
SPANS = (14, 30, 90)
#: Below these shares something should be done; utility says nothing of fewer outcomes than this.
LEAST_COVERAGE, LEAST_UTILITY, LEAST_OUTCOMES = 0.7, 0.6, 5
#: A rise of the mean distance that is more than chance.
MOST_DRIFT_RISE = 0.08
#: Of the nodes that the working set holds at the most, the share from which it is crowded.
CROWDED = 0.9


def see(access: Access, *, span: int, now: datetime) -> dict[str, Any]:
    """Return {"contexts", "standings", "pictures"} of an agent over the last `span` days."""
    days = days_until(now, span)
    observed = figures(access, since=start_of(days[0]), now=now)
    return {
        "contexts": observed["total"]["contexts"],
        "standings": _standings(**observed),
        "pictures": [draw(chart) for chart in _charts(observed["days"], days)],
    }


def _standings(total: Figures, days: Sequence[Figures]) -> list[Standing]:
    coverage, utility, rise = total["coverage"], total["utility"], change_of_drift(days)
    most, held, distance = ACTIVATION.most_in_working_set, total["held"], times_hundred(total["distance"])
    return [
        _standing(
            _("Coverage"),
            shown_share(coverage),
            is_well=coverage is None or coverage >= LEAST_COVERAGE,
            advice=_(
                "Too often nothing of the domain is at hand. Mount a pack of it, teach the agent its basics, "
                "or correct the agent's domains if they are not what it works on."
            ),
            share=coverage,
        ),
        _standing(
            _("Drift"),
            shown_number(distance) if distance is None else f"{shown_number(distance)} / 100",
            is_well=rise is None or rise <= MOST_DRIFT_RISE,
            advice=_(
                "What is found lies further from the questions than it did. The work may have moved on: teach the new "
                "topics or mount a pack of them, and remove what is stale."
            ),
        ),
        _standing(
            _("Utility"),
            shown_share(utility),
            is_well=utility is None or total["outcomes"] < LEAST_OUTCOMES or utility >= LEAST_UTILITY,
            advice=_(
                "Many contexts did not help. Look at the latest ones that failed: put wrong nodes right or remove them, "
                "and take off packs that do not fit."
            ),
            share=utility,
        ),
        _standing(
            _("Hygiene"),
            shown_number(held),
            is_well=held is None or held < CROWDED * most,
            advice=_(
                "So many nodes are lively that new ones push others out. Have the agent merge what says the same, "
                "and note fewer episodes."
            ),
            share=None if held is None else held / most,
        ),
    ]


def _standing(label: str, value: str, *, is_well: bool, advice: str, share: float | None = None) -> Standing:
    return Standing(label=label, value=value, is_well=is_well, advice="" if is_well else advice, share=share)


def _charts(measured: Sequence[Figures], days: Sequence[date]) -> list[Chart]:
    def series(label: str, tone: Tone, value: Callable[[Figures], float | None]) -> Series:
        return Series(label=label, tone=tone, values=spread(measured, days, value))

    return [
        Chart(
            slug="coverage",
            title=_("Coverage"),
            told=_(
                "Of the contexts built for a task with a domain, the share whose knowledge held at least one node of it. "
                "Low: the agent works on what it knows nothing of. Mount a pack of that domain, or teach it."
            ),
            kind="lines",
            unit="%",
            days=days,
            series=[hundredths(_("Covered"), "one", measured, days, "coverage")],
        ),
        Chart(
            slug="drift",
            title=_("Drift"),
            told=_(
                "How far the three best nodes lay from the question, in hundredths: 0 says the same, 100 has nothing in common. "
                "What is usual depends on the embedding model; a line that rises means that memory and work grow apart."
            ),
            kind="lines",
            unit="/ 100",
            days=days,
            series=[hundredths(_("Distance"), "two", measured, days, "distance")],
        ),
        Chart(
            slug="utility",
            title=_("Utility"),
            told=_(
                "How contexts ended, where the agent said so. What did not help weighs its sources down by itself; "
                "many failures mean that wrong or stale nodes are shown."
            ),
            kind="bars",
            days=days,
            series=[
                series(_("Helped"), "good", _helped),
                series(_("Failed"), "bad", lambda day: day["outcomes"] - _helped(day)),
            ],
            beside=series(_("Utility"), "good", itemgetter("utility")),
        ),
        Chart(
            slug="working-set",
            title=_("Hygiene: the working set"),
            told=_(
                "The most nodes that were lively at once; there is room for %(most)d. A line that only climbs means that "
                "much is noted and little is used again: merge, and note less."
            )
            % {"most": ACTIVATION.most_in_working_set},
            kind="lines",
            days=days,
            series=[series(_("Nodes"), "three", itemgetter("held"))],
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
            series=[hundredths(_("Mean resonance"), "one", measured, days, "warmth")],
        ),
    ]


def _helped(day: Figures) -> float:
    return round((day["utility"] or 0.0) * day["outcomes"])
