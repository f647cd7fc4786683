"""What a scraper is told about memory: how sleeps ended, how long they took, and what they did with memories.

Read across spaces by the role that sees no content, as sums and percentiles of a bounded time.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet, Sum

from companion_site.audit.models import AuditEvent
from companion_site.ids import first_id
from companion_site.metrics.counts import WINDOWS, count_by, label, measure_seconds
from companion_site.metrics.figures import Gauge, Samples
from memory.models import CompanyCompression, CompressionRun, Extraction, SleepRun
from memory.student.ingest.store import CUT_SHORT
from memory.student.sleep.history import overdue_spaces

State = SleepRun.State
#: States in which a try has ended.
ENDED = (State.SUCCESS, State.PARTIAL, State.FAILED)
#: What became of memories, as a run counts it.
FATES = ("processed", "covered", "left", "let_go")
INSIGHTS = ("created", "updated")


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
    yield from _sleep_gauges(now)
    yield from _overdue_gauges(now)
    yield from _other_work(now)
    yield Gauge(
        name="companion_messages_cut_short",
        told="Messages that had more to read than FORMING_CPU_S allows; the rest of each is kept as one memory.",
        labels=("window",),
        samples={(window,): _count_cut_short(now - length) for window, length in WINDOWS.items()},
    )


def _count_cut_short(since: datetime) -> int:
    rows = AuditEvent.objects.filter(pk__gte=first_id(since), action=CUT_SHORT, at__gte=since)
    return rows.count()


def _sleep_gauges(now: datetime) -> Iterator[Gauge]:
    runs: Samples = {}
    success: Samples = {}
    seconds: Samples = {}
    fates: Samples = {}
    insights: Samples = {}
    for window, length in WINDOWS.items():
        rows = recent_sleeps(now - length, now)
        counts = count_by(rows, "state", State)
        runs |= label(window, counts)
        share = success_share(counts)
        if share is not None:
            success[(window,)] = share
        wrote = rows.filter(state__in=(State.SUCCESS, State.PARTIAL))
        seconds |= measure_seconds(wrote, window, {"run": "duration_ms", "commit": "commit_ms"})
        sums = rows.aggregate(**{name: Sum(name, default=0) for name in (*FATES, *INSIGHTS)})
        fates |= {(window, fate): sums[fate] for fate in FATES}
        insights |= {(window, kind): sums[kind] for kind in INSIGHTS}
    yield Gauge(
        name="companion_sleep_runs",
        told="Tries at consolidating a batch of memories, by how they stand.",
        labels=("window", "state"),
        samples=runs,
    )
    yield Gauge(
        name="companion_sleep_success_ratio",
        told="Share of ended tries in which every memory that matters was taken in; absent where none ended.",
        labels=("window",),
        samples=success,
    )
    yield Gauge(
        name="companion_sleep_seconds",
        told="How long tries took that wrote something: the whole run, and its commit.",
        labels=("window", "part", "stat"),
        samples=seconds,
    )
    yield Gauge(
        name="companion_sleep_memories",
        told="Short-term memories looked at, taken into insights, left for the next sleep, and let go.",
        labels=("window", "fate"),
        samples=fates,
    )
    yield Gauge(
        name="companion_sleep_insights",
        told="Insights made and renewed.",
        labels=("window", "how"),
        samples=insights,
    )


def _overdue_gauges(now: datetime) -> Iterator[Gauge]:
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


def _other_work(now: datetime) -> Iterator[Gauge]:
    """Yield the runs of compression and extraction."""
    compressed: Samples = {}
    extracted: Samples = {}
    summed: Samples = {}
    for window, length in WINDOWS.items():
        since = now - length
        young = Q(pk__gte=first_id(since))
        # Across spaces, so by the role that sees no content.
        runs = CompressionRun.objects.using("metadata").filter(young, requested_at__gte=since).order_by()
        compressed |= label(window, count_by(runs, "state", CompressionRun.State))
        read = Extraction.objects.using("metadata").filter(young, started_at__gte=since).order_by()
        extracted |= label(window, count_by(read, "state", Extraction.State))
        company = CompanyCompression.objects.using("metadata").filter(young, at__gte=since)
        summed[(window,)] = company.count()
    yield Gauge(
        name="companion_compression_runs",
        told="Compressions of personal memories, by how they stand.",
        labels=("window", "state"),
        samples=compressed,
    )
    yield Gauge(
        name="companion_extractions",
        told="Readings of business conversations for facts, by how they stand.",
        labels=("window", "state"),
        samples=extracted,
    )
    yield Gauge(
        name="companion_company_compressions",
        told="Compressions of companies' memories.",
        labels=("window",),
        samples=summed,
    )
