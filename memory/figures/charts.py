"""Pictures of sleep for staff: how its tries ended, and how long they took, day by day."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from operator import itemgetter

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _

from companion_site.days import start_of
from companion_site.metrics.counts import Percentile, days_until, spread, spread_counts
from companion_site.metrics.figures import Chart, Series, Tone
from memory.figures.gauges import recent_sleeps, success_share
from memory.models import SleepRun

State = SleepRun.State
OUTCOMES: tuple[tuple[State, Tone], ...] = (
    (State.SUCCESS, "good"),
    (State.PARTIAL, "partly"),
    (State.FAILED, "bad"),
)


def charts(now: datetime) -> Iterator[Chart]:
    """Yield the pictures."""
    days = days_until(now)
    rows = recent_sleeps(start_of(days[0]), now).annotate(day=TruncDate("requested_at"))
    yield _outcomes(rows, days)
    yield _durations(rows, days)


def _outcomes(rows: QuerySet, days: Sequence[date]) -> Chart:
    counted = list(rows.values("day", "state").annotate(count=Count("pk")))
    series = [
        Series(
            label=str(state.label),
            tone=tone,
            values=spread_counts(counted, days, "state", state),
        )
        for state, tone in OUTCOMES
    ]
    shares = [
        success_share({row["state"]: row["count"] for row in counted if row["day"] == day}) for day in days
    ]
    return Chart(
        slug="sleeps",
        title=_("Sleep"),
        told=_(
            "Tries at consolidating a batch of memories. Done in part: something that matters was left for next time."
        ),
        kind="bars",
        days=days,
        series=series,
        beside=Series(label=_("Success"), tone="good", values=shares),
    )


def _durations(rows: QuerySet, days: Sequence[date]) -> Chart:
    ended = rows.filter(state__in=(State.SUCCESS, State.PARTIAL)).values("day")
    told = list(
        ended.annotate(
            half=Percentile("duration_ms", share=0.5),
            most=Percentile("duration_ms", share=0.95),
            commit=Percentile("commit_ms", share=0.95),
        )
    )
    return Chart(
        slug="sleep-times",
        title=_("How long sleep takes"),
        told=_(
            "Tries that wrote something. Half of them took no longer than the first line, 95 of 100 no longer than the second; the third is their writing alone."
        ),
        kind="lines",
        unit="ms",
        days=days,
        series=[
            Series(label=_("Half"), tone="one", values=spread(told, days, itemgetter("half"))),
            Series(label=_("95 of 100"), tone="two", values=spread(told, days, itemgetter("most"))),
            Series(label=_("Writing"), tone="three", values=spread(told, days, itemgetter("commit"))),
        ],
    )
