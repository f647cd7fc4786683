"""A chart as shapes: laid out on the server, so that the page needs no script and no style of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion_site.metrics.figures import Chart, Series, Table, Tone, shown_number, shown_share

WIDTH, HEIGHT = 360, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 20, 24
FLOOR = HEIGHT - BOTTOM
#: Share of a day's width that its bar takes.
BAR = 0.7
#: The least height of what is not nothing: one failure among a thousand is seen.
LEAST = 1.0
#: Heights that a scale may end at, times a power of ten.
STEPS = (1, 2, 4, 5, 8, 10)


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One rectangle: left, top, width, height, as attributes have them."""

    tone: Tone
    box: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One measure: runs of days on which there was something to measure, and its points."""

    tone: Tone
    runs: Sequence[str]
    points: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A word at a place of an axis."""

    at: str
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Everything that the template puts down."""

    chart: Chart
    description: str
    bars: Sequence[Bar]
    lines: Sequence[Line]
    levels: Sequence[Mark]
    days: Sequence[Mark]
    limit_at: str
    numbers: Table
    view_box: str = f"0 0 {WIDTH} {HEIGHT}"
    left: int = LEFT
    right: int = WIDTH - RIGHT
    baseline: int = HEIGHT - 8


def draw(chart: Chart) -> Picture:
    """Return a chart's shapes, its words for who cannot see it, and its numbers as a table."""
    top = ceiling(_highest(chart))
    return Picture(
        chart=chart,
        description=_describe(chart),
        bars=list(_bars(chart, top)) if chart.kind == "bars" else [],
        lines=list(_lines(chart, top)) if chart.kind == "lines" else [],
        levels=[Mark(at=_y(level, top), text=shown_number(level)) for level in (0, top / 2, top)],
        days=_day_marks(chart.days),
        limit_at=_y(chart.limit.value, top) if chart.limit else "",
        numbers=_numbers(chart),
    )


def ceiling(highest: float) -> float:
    """Return the round number at which a scale ends: no less than `highest`, and 2 at the least."""
    if highest <= 2:
        return 2
    power = 1
    while power * STEPS[-1] < highest:
        power *= 10
    return next(float(step * power) for step in STEPS if step * power >= highest)


def _highest(chart: Chart) -> float:
    limit = chart.limit.value if chart.limit else 0
    if chart.kind == "lines":
        return max([limit, *(value for one in chart.series for value in one.values if value is not None)])
    columns = zip(*(one.values for one in chart.series), strict=True)
    return max([limit, *(sum(value or 0 for value in column) for column in columns)])


def _bars(chart: Chart, top: float) -> Iterator[Bar]:
    step = (WIDTH - LEFT - RIGHT) / len(chart.days)
    for index in range(len(chart.days)):
        below = 0.0
        for one in chart.series:
            value = one.values[index] or 0
            if not value:
                continue
            height = max(_height(value, top), LEAST)
            box = (LEFT + step * (index + (1 - BAR) / 2), FLOOR - below - height, step * BAR, height)
            yield Bar(tone=one.tone, box=tuple(map(_number, box)))
            below += height


def _lines(chart: Chart, top: float) -> Iterator[Line]:
    for one in chart.series:
        runs: list[list[str]] = [[]]
        points = []
        for index, value in enumerate(one.values):
            if value is None:
                runs.append([])
                continue
            point = (_x(index, len(chart.days)), _y(value, top))
            points.append(point)
            runs[-1].append(",".join(point))
        yield Line(tone=one.tone, runs=[" ".join(run) for run in runs if len(run) > 1], points=points)


def _day_marks(days: Sequence[date]) -> list[Mark]:
    places = ((0, "start"), (len(days) // 2, "middle"), (len(days) - 1, "end"))
    edges = {"start": str(LEFT), "end": str(WIDTH - RIGHT)}
    return [
        Mark(
            at=edges.get(anchor, _x(index, len(days))),
            text=f"{days[index].day}/{days[index].month}",
            anchor=anchor,
        )
        for index, anchor in places
    ]


def _describe(chart: Chart) -> str:
    """Return what the picture shows in a sentence: sums of counts, the last of measures."""
    count = len(chart.days)
    days = ngettext("%(count)s day", "%(count)s days", count) % {"count": count}
    told = ", ".join(f"{one.label} {_summary(chart, one)}" for one in chart.series)
    return f"{chart.title}, {days}. {told}."


def _summary(chart: Chart, one: Series) -> str:
    known = [value for value in one.values if value is not None]
    if chart.kind == "bars":
        return shown_number(sum(known))
    return f"{shown_number(known[-1])} {chart.unit}".strip() if known else _("nothing yet")


def _numbers(chart: Chart) -> Table:
    unit = f" ({chart.unit})" if chart.unit else ""
    head = [_("Day"), *(f"{one.label}{unit}" for one in chart.series)]
    columns = [[shown_number(value) for value in one.values] for one in chart.series]
    if chart.beside:
        head.append(chart.beside.label)
        columns.append([shown_share(value) for value in chart.beside.values])
    rows = zip((day.isoformat() for day in chart.days), *columns, strict=True)
    return Table(head=head, rows=list(rows)[::-1])


def _x(index: int, count: int) -> str:
    step = (WIDTH - LEFT - RIGHT) / count
    return _number(LEFT + step * (index + 0.5))


def _y(value: float, top: float) -> str:
    return _number(FLOOR - _height(value, top))


def _height(value: float, top: float) -> float:
    return (FLOOR - TOP) * value / top


def _number(value: float) -> str:
    return f"{value:.1f}"
