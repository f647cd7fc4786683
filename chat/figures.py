"""Figures about replies, as the setting `FIGURES` names them: how fast memory is found, how personal replies are, and
how much of a prompt memory takes. Read across spaces by the role that sees no content."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from operator import itemgetter

from django.db.models import Avg, Count, FloatField, Max, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, TruncDate
from django.utils.translation import gettext as _

from chat.models import Message
from companion_site.days import start_of
from companion_site.ids import first_id
from companion_site.metrics.counts import (
    QUANTILES,
    Percentile,
    count_by,
    days_until,
    gauge_windows,
    label,
    measure_seconds,
    spread,
    spread_counts,
)
from companion_site.metrics.figures import Chart, Gauge, Limit, Samples, Series, Tone
from memory.params import PROMPT

#: Steps of a turn whose time a reply's row keeps.
STEPS = ("embed", "recall", "compose", "first_token", "stream")
#: Finding memory: the message's vector, and the search.
RETRIEVAL = "retrieval"
#: What the source document allows it at the 95th percentile.
RETRIEVAL_LIMIT_MS = 200
#: Metrics by their names: what they tell, and their labels beside the window.
GAUGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "companion_replies": ("Replies, by how they ended.", ("state",)),
    "companion_turn_seconds": (
        "How long the steps of a turn took; retrieval is embed and recall together.",
        ("step", "stat"),
    ),
    "companion_replies_by_personalisation": (
        "Replies, by how much they draw on what is remembered.",
        ("level",),
    ),
    "companion_prompt_memory_tokens": ("Tokens of memory in a prompt.", ("stat",)),
}
LEVELS: tuple[tuple[Message.Personalisation, Tone], ...] = (
    (Message.Personalisation.NONE, "quiet"),
    (Message.Personalisation.LOW, "low"),
    (Message.Personalisation.MEDIUM, "middle"),
    (Message.Personalisation.HIGH, "high"),
)


def gauges(now: datetime) -> Iterator[Gauge]:
    """Yield what a scraper is told."""
    yield from gauge_windows(GAUGES, _count, now)
    yield Gauge(
        name="companion_prompt_memory_tokens_limit",
        told="The most tokens that memory may take in a prompt.",
        samples={(): PROMPT.most_tokens},
    )


def _count(window: str, since: datetime, now: datetime) -> dict[str, Samples]:
    """Return the samples of one window by the name of their metric."""
    rows = recent_replies(since, now)
    steps = {**{name: _step(name) for name in STEPS}, RETRIEVAL: _retrieval()}
    tokens = rows.aggregate(
        mean=Avg("memory_tokens"), p95=Percentile("memory_tokens", share=0.95), max=Max("memory_tokens")
    )
    return {
        "companion_replies": label(window, count_by(rows, "state", Message.State)),
        "companion_turn_seconds": measure_seconds(rows, window, steps),
        "companion_replies_by_personalisation": label(
            window, count_by(rows, "personalisation", Message.Personalisation)
        ),
        "companion_prompt_memory_tokens": label(
            window, {stat: value for stat, value in tokens.items() if value is not None}
        ),
    }


def charts(now: datetime) -> Iterator[Chart]:
    """Yield the pictures."""
    days = days_until(now)
    rows = recent_replies(start_of(days[0]), now).annotate(day=TruncDate("said_at"))
    yield _retrieval_chart(rows, days)
    yield _personalisation_chart(rows, days)
    yield _tokens_chart(rows, days)


def recent_replies(since: datetime, until: datetime) -> QuerySet[Message]:
    """Return the replies begun between two moments, in all spaces."""
    # Across spaces, so by the role that sees no content.
    rows = Message.objects.using("metadata").filter(pk__gte=first_id(since), role=Message.Role.COMPANION)
    return rows.filter(said_at__gte=since, said_at__lte=until).order_by()


def _step(name: str) -> Cast:
    return Cast(KT(f"timings_ms__{name}"), FloatField())


def _retrieval() -> CombinedExpression:
    return _step("embed") + _step("recall")


def _retrieval_chart(rows: QuerySet, days: Sequence[date]) -> Chart:
    told = list(
        rows.filter(timings_ms__has_key="recall")
        .values("day")
        .annotate(**{name: Percentile(_retrieval(), share=share) for name, share in QUANTILES.items()})
    )
    labels: tuple[tuple[str, str, Tone], ...] = (
        ("p50", _("Half"), "one"),
        ("p95", _("95 of 100"), "two"),
        ("p99", _("99 of 100"), "three"),
    )
    return Chart(
        slug="retrieval",
        title=_("How long finding memory takes"),
        told=_(
            "From the message to the memories that bear on it, without the language model. So long waited half of the messages at most, and 95 and 99 of 100."
        ),
        kind="lines",
        unit="ms",
        days=days,
        series=[
            Series(label=label, tone=tone, values=spread(told, days, itemgetter(name)))
            for name, label, tone in labels
        ],
        limit=Limit(label=_("Limit for 95 of 100"), value=RETRIEVAL_LIMIT_MS),
    )


def _personalisation_chart(rows: QuerySet, days: Sequence[date]) -> Chart:
    counted = list(rows.values("day", "personalisation").annotate(count=Count("pk")))
    return Chart(
        slug="personalisation",
        title=_("How personal replies are"),
        told=_("Replies by how much they draw on what is remembered."),
        kind="bars",
        days=days,
        series=[
            Series(
                label=str(level.label),
                tone=tone,
                values=spread_counts(counted, days, "personalisation", level),
            )
            for level, tone in LEVELS
        ],
    )


def _tokens_chart(rows: QuerySet, days: Sequence[date]) -> Chart:
    told = list(
        rows.filter(memory_tokens__isnull=False)
        .values("day")
        .annotate(mean=Avg("memory_tokens"), most=Percentile("memory_tokens", share=0.95))
    )
    return Chart(
        slug="memory-tokens",
        title=_("Memory in prompts"),
        told=_("Tokens of memory that a language model is given with a message."),
        kind="lines",
        unit=_("tokens"),
        days=days,
        series=[
            Series(label=_("On average"), tone="one", values=spread(told, days, itemgetter("mean"))),
            Series(label=_("95 of 100"), tone="two", values=spread(told, days, itemgetter("most"))),
        ],
        limit=Limit(label=_("Limit"), value=PROMPT.most_tokens),
    )
