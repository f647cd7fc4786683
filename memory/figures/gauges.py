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
    counted = [_count(window, now - length, now) for window, length in WINDOWS.items()]
    for name, (told, labels) in GAUGES.items():
        samples = {key: value for one in counted for key, value in one[name].items()}
        yield Gauge(name=name, told=told, labels=("window", *labels), samples=samples)
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
