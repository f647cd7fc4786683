"""Figures about memory, as the setting `FIGURES` names them: how sleeps ended and how long they took, what they did with memories,
and what failed and waits for a look. Read across spaces by the role that sees no content, as sums and percentiles of a bounded time.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from operator import itemgetter
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.days import start_of
from companion_site.errors import NotFound
from companion_site.ids import first_id
from companion_site.metrics.counts import (
    Percentile,
    count_by,
    days_until,
    gauge_windows,
    label,
    measure_seconds,
    spread,
    spread_counts,
)
from companion_site.metrics.figures import (
    Chart,
    Gauge,
    ReviewList,
    Samples,
    Series,
    Standing,
    Tone,
    ToReview,
    shown_number,
    shown_time,
)
from memory.models import CompanyCompression, CompressionRun, Extraction, SleepRun
from memory.student.ingest.store import CUT_SHORT
from memory.student.sleep.history import list_failed, overdue_spaces, review_run

State = SleepRun.State
#: States in which a try has ended.
ENDED = (State.SUCCESS, State.PARTIAL, State.FAILED)
#: What became of memories, as a run counts it.
FATES = ("processed", "covered", "left", "let_go")
INSIGHTS = ("created", "updated")
#: Metrics by their names: what they tell, and their labels beside the window.
GAUGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "companion_sleep_runs": ("Tries at consolidating a batch of memories, by how they stand.", ("state",)),
    "companion_sleep_success_ratio": (
        "Share of ended tries in which every memory that matters was taken in; absent where none ended.",
        (),
    ),
    "companion_sleep_seconds": (
        "How long tries took that wrote something: the whole run, and its commit.",
        ("part", "stat"),
    ),
    "companion_sleep_memories": (
        "Short-term memories looked at, taken into insights, left for the next sleep, and let go.",
        ("fate",),
    ),
    "companion_sleep_insights": ("Insights made and renewed.", ("how",)),
    "companion_compression_runs": ("Compressions of personal memories, by how they stand.", ("state",)),
    "companion_extractions": (
        "Readings of business conversations for facts, by how they stand.",
        ("state",),
    ),
    "companion_company_compressions": ("Compressions of companies' memories.", ()),
    "companion_messages_cut_short": (
        "Messages that had more to read than FORMING_CPU_S allows; the rest of each is kept as one memory.",
        (),
    ),
}
OUTCOMES: tuple[tuple[State, Tone], ...] = (
    (State.SUCCESS, "good"),
    (State.PARTIAL, "partly"),
    (State.FAILED, "bad"),
)
FAILED_SLEEPS = "failed-sleeps"
#: Failed tries shown at once; the next come up when these have been reviewed.
MOST_SHOWN = 10


def recent_sleeps(since: datetime, until: datetime) -> QuerySet[SleepRun]:
    """Return the tries that were asked for between two moments, in all spaces."""
    # Across spaces, so by the role that sees no content.
    rows = SleepRun.objects.using("metadata").filter(pk__gte=first_id(since))
    return rows.filter(requested_at__gte=since, requested_at__lte=until).order_by()


def success_share(counts: Mapping[str, int]) -> float | None:
    """Return the share of ended tries in which all went well; None where none ended."""
    ended = sum(counts.get(state, 0) for state in ENDED)
    return counts.get(State.SUCCESS, 0) / ended if ended else None


def count_to_review() -> int:
    """Return how many failed tries nobody has looked at, in all spaces."""
    # Across spaces, so by the role that sees no content.
    return SleepRun.objects.using("metadata").filter(state=State.FAILED, reviewed_at__isnull=True).count()


def gauges(now: datetime) -> Iterator[Gauge]:
    """Yield what a scraper is told."""
    yield from gauge_windows(GAUGES, _count, now)
    overdue = overdue_spaces(now)
    late = now - overdue.oldest if overdue.oldest is not None else timedelta()
    yield Gauge(
        name="companion_sleep_overdue_spaces",
        told="Spaces that should have slept long ago and whose key is at hand.",
        samples={(): overdue.count},
    )
    yield Gauge(
        name="companion_sleep_overdue_seconds",
        told="By how much the latest of them is late; 0 where none is.",
        samples={(): late.total_seconds()},
    )
    yield Gauge(
        name="companion_sleep_failures_to_review",
        told="Failed tries that nobody has looked at.",
        samples={(): count_to_review()},
    )


def _count(window: str, since: datetime, now: datetime) -> dict[str, Samples]:
    """Return the samples of one window by the name of their metric. Across spaces, so by the role that sees no content."""
    rows, young = recent_sleeps(since, now), Q(pk__gte=first_id(since))
    states = count_by(rows, "state", State)
    share = success_share(states)
    wrote = rows.filter(state__in=(State.SUCCESS, State.PARTIAL))
    sums = rows.aggregate(**{name: Sum(name, default=0) for name in (*FATES, *INSIGHTS)})
    runs = CompressionRun.objects.using("metadata").filter(young, requested_at__gte=since).order_by()
    read = Extraction.objects.using("metadata").filter(young, started_at__gte=since).order_by()
    company = CompanyCompression.objects.using("metadata").filter(young, at__gte=since)
    cut_short = AuditEvent.objects.filter(young, action=CUT_SHORT, at__gte=since)
    return {
        "companion_sleep_runs": label(window, states),
        "companion_sleep_success_ratio": {} if share is None else {(window,): share},
        "companion_sleep_seconds": measure_seconds(
            wrote, window, {"run": "duration_ms", "commit": "commit_ms"}
        ),
        "companion_sleep_memories": label(window, {fate: sums[fate] for fate in FATES}),
        "companion_sleep_insights": label(window, {kind: sums[kind] for kind in INSIGHTS}),
        "companion_compression_runs": label(window, count_by(runs, "state", CompressionRun.State)),
        "companion_extractions": label(window, count_by(read, "state", Extraction.State)),
        "companion_company_compressions": {(window,): company.count()},
        "companion_messages_cut_short": {(window,): cut_short.count()},
    }


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


def count_overdue_sleeps(now: datetime) -> int:
    """Return how many spaces should have slept long ago: what `/readyz` tells beside its checks."""
    return overdue_spaces(now).count


def standings(now: datetime) -> Iterator[Standing]:
    """Yield whether sleep is late."""
    overdue = overdue_spaces(now)
    late = _("none") if overdue.oldest is None else shown_time((now - overdue.oldest).total_seconds() * 1000)
    yield Standing(
        label=_("Overdue sleeps"),
        value=shown_number(overdue.count),
        is_well=not overdue.count,
        advice=_(
            "The latest should have slept %(late)s ago. Look whether the worker runs and its schedules are due; "
            "a space that fails again and again stands in the list below."
        )
        % {"late": late}
        if overdue.count
        else "",
    )
    yield Standing(label=_("Failed sleeps to look at"), value=shown_number(count_to_review()))


def review_lists() -> Iterator[ReviewList]:
    """Yield the failed tries that nobody has looked at."""
    yield ReviewList(
        slug=FAILED_SLEEPS,
        title=_("Failed sleeps"),
        told=_(
            "Each is one try that came to nothing; no memory was changed by it, and the next try comes by itself. "
            "Mark as reviewed what you have looked into."
        ),
        empty=_("No failed sleep waits for a look."),
        head=(_("Error"), _("Try"), _("Provider")),
        rows=[
            ToReview(
                space=failed.space_id,
                row=failed.pk,
                page="memory_sleeprun",
                at=failed.requested_at,
                cells=(failed.error, str(failed.attempt), failed.provider or "\u2013"),
            )
            for failed in list_failed(limit=MOST_SHOWN)
        ],
    )


def mark_reviewed(slug: str, space: UUID, row: UUID, *, now: datetime, actor: Person) -> None:
    """Note that somebody has looked at a failed try. Raises NotFound: there is no such try, or no such list."""
    if slug != FAILED_SLEEPS:
        raise NotFound()
    review_run(space, row, now=now, actor=actor)
