"""What a module of figures hands over: numbers for a scraper, pictures and things to review for staff. Plain data.

A module that the setting `FIGURES` names has `gauges(now)` and `charts(now)`. One that knows how something stands right now
has `standings(now)` too; one that has things to review has `review_lists()`, and `mark_reviewed(slug, space, row, now=, actor=)`,
which raises NotFound where there is no such thing.
Figures are about the platform: no label and no cell names a person, and only things to review name a space, by its id.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from prometheus_client.metrics_core import GaugeMetricFamily

#: Days that a picture shows, today included.
DAYS = 14
#: Colours of a picture, by what they stand for; css/figures.css has them.
Tone = Literal["good", "partly", "bad", "one", "two", "three", "four", "quiet", "low", "middle", "high"]


#: Numbers by the values of their labels.
Samples = dict[tuple[str, ...], float]
SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS = 1000, 60_000, 3_600_000, 86_400_000


class Gauge(GaugeMetricFamily):
    """One metric as it stands.

    Args:
        name: with its unit at the end, as Prometheus has it: "companion_sleep_duration_seconds".
        labels: their names; never an id of anybody or anything.
        samples: values by the labels' values.
    """

    def __init__(
        self, *, name: str, told: str, labels: Sequence[str] = (), samples: Mapping[tuple[str, ...], float]
    ) -> None:
        super().__init__(name, told, labels=labels)
        for values, number in sorted(samples.items()):
            self.add_metric(values, number)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How something stands right now.

    Attributes:
        is_well: False where somebody should do something; `advice` then says what.
        share: of what is allowed, from 0 up; None where nothing bounds it.
    """

    label: str
    value: str
    is_well: bool = True
    advice: str = ""
    share: float | None = None

    @property
    def meter(self) -> str:
        """How full the meter is, in per cent as an attribute has it; empty without one."""
        return "" if self.share is None else f"{100 * min(max(self.share, 0.0), 1.0):.1f}"


@dataclass(frozen=True, kw_only=True)
class Series:
    """One number for each day of a picture; None where there was nothing to measure."""

    label: str
    tone: Tone
    values: Sequence[float | None]


@dataclass(frozen=True, kw_only=True)
class Limit:
    """A level that the numbers are held against."""

    label: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Table:
    """Numbers that are no series of days."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A picture over days: counts stacked, or measures as lines.

    Attributes:
        unit: behind each number: "ms"; empty for counts.
        beside: what stands in the table and not in the picture, such as a rate in per cent.
    """

    slug: str
    title: str
    told: str
    kind: Literal["bars", "lines"]
    days: Sequence[date]
    series: Sequence[Series]
    unit: str = ""
    limit: Limit | None = None
    beside: Series | None = None
    table: Table | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was counted, or nothing measured; a measure of nought is one."""
        values = [value for one in self.series for value in one.values]
        return not any(values) if self.kind == "bars" else all(value is None for value in values)


@dataclass(frozen=True, kw_only=True)
class ToReview:
    """One thing that somebody should look at; `page` is its model's, as "app_model"."""

    space: UUID
    row: UUID
    page: str
    at: datetime
    cells: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class ReviewList:
    """Things of one kind to look at, the newest first."""

    slug: str
    title: str
    told: str
    empty: str
    head: Sequence[str]
    rows: Sequence[ToReview]


class FiguresModule(Protocol):
    """What the setting `FIGURES` names."""

    def gauges(self, now: datetime) -> Iterator[Gauge]: ...

    def charts(self, now: datetime) -> Iterator[Chart]: ...


def shown_number(value: float | None) -> str:
    """Return a number with no more digits than say something; a dash for none."""
    if value is None:
        return "\u2013"
    rounded = round(float(value), 0 if abs(value) >= 100 else 1)
    places = 0 if rounded.is_integer() else 1
    return number_format(rounded, places, use_l10n=True, force_grouping=True)


def shown_share(share: float | None) -> str:
    """Return a share of one in per cent; a dash for none."""
    return "\u2013" if share is None else _("%(number)s %%") % {"number": shown_number(share * 100)}


def shown_time(milliseconds: float) -> str:
    """Return a time in the unit that suits it."""
    for least, unit in (
        (2 * DAY_MS, (DAY_MS, _("%(number)s days"))),
        (2 * HOUR_MS, (HOUR_MS, _("%(number)s hours"))),
        (2 * MINUTE_MS, (MINUTE_MS, _("%(number)s minutes"))),
        (SECOND_MS, (SECOND_MS, _("%(number)s s"))),
    ):
        if milliseconds >= least:
            length, words = unit
            return words % {"number": shown_number(round(milliseconds / length, 1))}
    return _("%(number)s ms") % {"number": shown_number(round(milliseconds))}
