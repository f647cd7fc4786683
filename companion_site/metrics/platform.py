"""Figures of what every app stands on: language models, background work, spaces that wait for their key."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_q.models import OrmQ

from companion_site.audit.checkpoint_services import CheckpointStanding, look_at_last_checkpoint
from companion_site.days import start_of
from companion_site.jobs import oldest_age_s, waiting_jobs
from companion_site.llm.models import LlmCall
from companion_site.llm.types import Outcome
from companion_site.metrics.counts import days_until, gauge_windows, spread_counts, statistics_of
from companion_site.metrics.figures import (
    Chart,
    Gauge,
    Samples,
    Series,
    Standing,
    Table,
    Tone,
    shown_number,
    shown_time,
)
from companion_site.vault.models import Space

TONES: tuple[Tone, ...] = ("one", "two", "three", "four", "quiet")
#: Providers that a picture tells apart; what is left is drawn as one.
MOST_PROVIDERS = len(TONES) - 1
TOKENS = ("input", "output", "cached")
#: What looks back: what it tells, and its labels beside the window.
GAUGES = {
    "companion_model_calls": (
        "Calls to language models, each try of its own.",
        ("provider", "model", "outcome"),
    ),
    "companion_model_tokens": (
        "Tokens read (input), of these from the provider's cache (cached), and written (output).",
        ("provider", "model", "kind"),
    ),
    "companion_model_call_seconds": ("How long calls that were answered took.", ("provider", "stat")),
}


def gauges(now: datetime) -> Iterator[Gauge]:
    """Yield what a scraper is told."""
    yield from gauge_windows(GAUGES, _count_calls, now)
    waiting = waiting_jobs(now)
    checkpoint = look_at_last_checkpoint(now)
    singles: tuple[tuple[str, str, float | None], ...] = (
        ("jobs_oldest_runnable_seconds", "Age of the oldest job that could run.", oldest_age_s(waiting)),
        ("jobs_queued", "Jobs that wait or are in work.", OrmQ.objects.count()),
        ("spaces_awaiting_key", "Spaces with work that needs a key which nobody holds.", _awaiting_key()),
        (
            "audit_checkpoint_age_seconds",
            "Time since the last signed checkpoint of the record; absent where there is none.",
            checkpoint.age_s(now),
        ),
        (
            "audit_checkpoint_holds",
            "Whether the last checkpoint is signed by this site and still true of the record (1) or not (0).",
            float(checkpoint.holds and not checkpoint.refused),
        ),
        (
            "audit_checkpoints_unsent",
            "Checkpoints that AUDIT_CHECKPOINT_COMMAND has not taken.",
            checkpoint.unsent,
        ),
    )
    for name, told, value in singles:
        yield Gauge(name=f"companion_{name}", told=told, samples={} if value is None else {(): value})
    counts: Samples = {(one.kind,): one.count for one in waiting}
    ages: Samples = {(one.kind,): one.oldest.total_seconds() for one in waiting}
    for name, told, samples in (
        ("waiting", "Jobs that could run and wait, by kind.", counts),
        ("waiting_seconds", "Age of the oldest job that could run, by kind.", ages),
    ):
        yield Gauge(name=f"companion_jobs_{name}", told=told, labels=("kind",), samples=samples)


def standings(now: datetime) -> Iterator[Standing]:
    """Yield how background work stands."""
    age_s = oldest_age_s(waiting_jobs(now))
    is_well = age_s < settings.JOB_STUCK_S
    yield Standing(
        label=_("Oldest job waiting"),
        value=shown_time(age_s * 1000),
        is_well=is_well,
        advice="" if is_well else _("The worker may have stopped. Look at its log, and start it again."),
        share=age_s / settings.JOB_STUCK_S,
    )
    count = _awaiting_key()
    yield Standing(
        label=_("Spaces awaiting their key"),
        value=shown_number(count),
        advice=ngettext(
            "It goes on when its person logs in next.", "They go on when their people log in next.", count
        )
        if count
        else "",
    )
    checkpoint = look_at_last_checkpoint(now)
    checkpoint_age_s = checkpoint.age_s(now)
    yield Standing(
        label=_("Last checkpoint of the record"),
        value=_("none")
        if checkpoint_age_s is None
        else _("%(time)s ago") % {"time": shown_time(checkpoint_age_s * 1000)},
        is_well=checkpoint.is_well,
        advice=_advice(checkpoint),
    )


def _advice(checkpoint: CheckpointStanding) -> str:
    if checkpoint.at is None or (checkpoint.is_old and checkpoint.holds):
        return _(
            "Look whether the worker runs and the directory of checkpoints can be written; the log says more."
        )
    if not checkpoint.holds or checkpoint.refused:
        return _(
            "The record may have been tampered with. Keep everything as it is, and run: manage.py verify_audit"
        )
    if checkpoint.unsent:
        return ngettext(
            "%(count)s checkpoint was not taken by the command that should keep it elsewhere.",
            "%(count)s checkpoints were not taken by the command that should keep them elsewhere.",
            checkpoint.unsent,
        ) % {"count": shown_number(checkpoint.unsent)}
    return ""


def charts(now: datetime) -> Iterator[Chart]:
    """Yield which providers of language models were asked."""
    days = days_until(now)
    calls = LlmCall.objects.filter(at__gte=start_of(days[0]), at__lte=now)
    yield Chart(
        slug="models",
        title=_("Language models"),
        told=_("Calls by provider; the table beneath tells how they ended and what they read and wrote."),
        kind="bars",
        days=days,
        series=_by_provider(calls, days),
        table=_usage(calls),
    )


def _awaiting_key() -> int:
    return Space.objects.filter(awaiting_key_since__isnull=False, closed_at__isnull=True).count()


def _count_calls(window: str, since: datetime, now: datetime) -> dict[str, Samples]:
    rows = LlmCall.objects.filter(at__gte=since, at__lte=now).order_by()
    return {
        "companion_model_calls": _counted(rows, window),
        "companion_model_tokens": _tokens(rows, window),
        "companion_model_call_seconds": _times(rows, window),
    }


def _counted(rows: QuerySet, window: str) -> Samples:
    keys = ("provider", "model", "outcome")
    counted = rows.values_list(*keys).annotate(count=Count("pk"))
    return {(window, *key): count for *key, count in counted}


def _tokens(rows: QuerySet, window: str) -> Samples:
    summed = rows.values_list("provider", "model").annotate(*(Sum(f"{kind}_tokens") for kind in TOKENS))
    return {
        (window, provider, model, kind): count
        for provider, model, *counts in summed
        for kind, count in zip(TOKENS, counts, strict=True)
    }


def _times(rows: QuerySet, window: str) -> Samples:
    stats = statistics_of("duration_ms")
    told = rows.filter(outcome=Outcome.OK).values_list("provider").annotate(**stats)
    return {
        (window, provider, stat): milliseconds / 1000
        for provider, *times in told
        for stat, milliseconds in zip(stats, times, strict=True)
    }


def _by_provider(calls: QuerySet, days: Sequence[date]) -> list[Series]:
    """Return calls a day, by provider: the ones asked most by name, the others as one."""
    by_day = calls.annotate(day=TruncDate("at")).values("day", "provider").order_by()
    counted = list(by_day.annotate(count=Count("pk")))
    totals: dict[str, int] = {}
    for row in counted:
        totals[row["provider"]] = totals.get(row["provider"], 0) + row["count"]
    named = sorted(totals, key=lambda name: (-totals[name], name))[:MOST_PROVIDERS]
    series = [
        Series(
            label=name,
            tone=tone,
            values=spread_counts(counted, days, "provider", name),
        )
        for name, tone in zip(named, TONES, strict=False)
    ]
    rest = [row for row in counted if row["provider"] not in named]
    if rest:
        sums = [sum(row["count"] for row in rest if row["day"] == day) or None for day in days]
        series.append(Series(label=_("Others"), tone="quiet", values=sums))
    return series


def _usage(calls: QuerySet) -> Table:
    told = calls.values("provider", "model").order_by("provider", "model")
    rows = told.annotate(
        count=Count("pk"),
        answered=Count("pk", filter=Q(outcome=Outcome.OK)),
        read=Sum("input_tokens"),
        written=Sum("output_tokens"),
    )
    return Table(
        head=(_("Provider"), _("Model"), _("Calls"), _("Answered"), _("Tokens read"), _("Tokens written")),
        rows=[
            (
                row["provider"],
                row["model"],
                *(shown_number(row[name]) for name in ("count", "answered", "read", "written")),
            )
            for row in rows
        ],
    )
