"""Mood over weeks as a picture laid out on the server, and the same as rows of a table. Needs no script and no style of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import pgettext

from memory.algorithms.moods import MeanDay, mean_days
from memory.student.life.kinds import MOODS
from memory.student.life.moods import ShownMood, felt_at

WEEKS = 6
DAYS = 7 * WEEKS
WIDTH, HEIGHT = 400, 200
LEFT, RIGHT, TOP, BOTTOM = 64, 10, 14, 28
#: Days without a mood over which the line still goes on.
BRIDGED = 4
WORDS: dict[str, str | Promise] = dict(MOODS)


@dataclass(frozen=True, kw_only=True)
class Point:
    """One day: where it stands, and what it says."""

    x: str
    y: str
    #: whether the person told any of it themselves
    is_told: bool
    day: MeanDay
    word: str | Promise


#: where the template puts its lines and words
FRAME = {
    "view_box": f"0 0 {WIDTH} {HEIGHT}", "left": LEFT, "label_at": LEFT - 8, "right": WIDTH - RIGHT, "top": TOP,
    "floor": HEIGHT - BOTTOM, "baseline": HEIGHT - 8,
}  # fmt: skip


def draw_moods(moods: Sequence[ShownMood], *, today: date) -> dict[str, Any] | None:
    """Return everything that the template puts down of the last weeks; None where they have no mood.

    A word at an axis comes behind the place of its line; the days of the table are the newest first.

    Args:
        moods: the newest first.
    """
    first = today - timedelta(days=DAYS - 1)
    felt = [felt_at(mood) for mood in reversed(moods)]
    days = [one for one in mean_days(felt) if first <= one.day <= today]
    if not days:
        return None
    told = {one.day for one in felt if one.is_told}
    points = [
        Point(
            x=_number(_x(one.day, first)),
            y=_number(_y(one.valence)),
            is_told=one.day in told,
            day=one,
            word=WORDS[one.emotion],
        )
        for one in days
    ]
    words = (
        (1.0, pgettext("mood", "good")),
        (0.0, pgettext("mood", "so-so")),
        (-1.0, pgettext("mood", "hard")),
    )
    return {
        **FRAME,
        "points": points,
        # one line for each stretch of days
        "runs": [" ".join(run) for run in _runs(points) if len(run) > 1],
        "levels": [(_number(_y(valence)), text) for valence, text in words],
        "weeks": _weeks(first),
        "table": points[::-1],
    }


def _runs(points: Sequence[Point]) -> list[list[str]]:
    """Return the places of days that follow one another closely enough for a line."""
    runs: list[list[str]] = []
    last: date | None = None
    for point in points:
        if last is None or (point.day.day - last).days > BRIDGED:
            runs.append([])
        runs[-1].append(f"{point.x},{point.y}")
        last = point.day.day
    return runs


def _weeks(first: date) -> list[tuple[str, str]]:
    """Return every second Monday: more would not stand side by side on a phone."""
    monday = first + timedelta(days=-first.weekday() % 7)
    days = [monday + timedelta(days=14 * step) for step in range(WEEKS // 2)]
    # Which of Django's formats has the month as the language writes it: "26 Oct", "26 okt".
    short = pgettext("date format", "j M")
    return [(_number(_x(day, first)), date_format(day, short)) for day in days]


def _x(day: date, first: date) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * ((day - first).days + 0.5) / DAYS


def _y(valence: float) -> float:
    middle, half = (TOP + HEIGHT - BOTTOM) / 2, (HEIGHT - BOTTOM - TOP) / 2
    return middle - half * max(-1.0, min(1.0, valence))


def _number(value: float) -> str:
    return f"{value:.1f}"
