"""Indicators as a page shows them: words, and a small picture whose text says the same."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.accounts.models import Person
from memory.algorithms.trends import Direction, Weeks
from memory.student.wellbeing import Wellbeing, indicate_wellbeing

WIDTH, HEIGHT, MARGIN = 120, 36, 4

DIRECTIONS: dict[Direction, Promise] = {
    "rising": gettext_lazy("Getting brighter"),
    "falling": gettext_lazy("Getting darker"),
    "steady": gettext_lazy("Steady"),
    "unclear": gettext_lazy("No clear direction"),
    "too_little": gettext_lazy("Too little to tell"),
}


@dataclass(frozen=True, kw_only=True)
class Sparkline:
    """Valence by week: lines between neighbouring weeks, a point for each, and the same in words."""

    lines: list[str]
    points: list[tuple[float, float]]
    description: str
    view_box: str = f"0 0 {WIDTH} {HEIGHT}"
    middle: float = HEIGHT / 2
    width: int = WIDTH


@dataclass(frozen=True, kw_only=True)
class StudentCard:
    """One student at a glance."""

    student: Person
    wellbeing: Wellbeing
    mood: Promise
    sparkline: Sparkline

    @property
    def last_active(self) -> date | None:
        return self.wellbeing.last_active


def present_students(students: list[Person], *, now: datetime) -> list[StudentCard]:
    """Return the cards of students, in the order given."""
    found = indicate_wellbeing([student.space_id for student in students if student.space_id], now=now)
    return [_card(student, found[student.space_id]) for student in students if student.space_id in found]


def _card(student: Person, wellbeing: Wellbeing) -> StudentCard:
    return StudentCard(
        student=student,
        wellbeing=wellbeing,
        mood=DIRECTIONS[wellbeing.trend.direction],
        sparkline=draw_weeks(wellbeing.weeks),
    )


def slope_context(wellbeing: Wellbeing) -> dict[str, Any]:
    """Return a trend's numbers as a page writes them; empty where there is too little to tell."""
    trend = wellbeing.trend
    if trend.direction == "too_little":
        return {}
    return {name: _signed(getattr(trend, name)) for name in ("slope", "low", "high")}


def draw_weeks(weeks: Weeks) -> Sparkline:
    """Return a picture of (w,) weekly means within -1 to 1; weeks without a word are gaps, not zeros."""
    count = len(weeks.means)
    x = MARGIN + np.arange(count) * (WIDTH - 2 * MARGIN) / max(count - 1, 1)
    y = HEIGHT / 2 - np.clip(weeks.means, -1, 1) * (HEIGHT / 2 - MARGIN)
    points = [(round(float(a), 1), round(float(b), 1)) for a, b in zip(x, y, strict=True) if np.isfinite(b)]
    runs = np.split(np.arange(count), np.flatnonzero(~np.isfinite(weeks.means)))
    lines = [
        " ".join(f"{x[week]:.1f},{y[week]:.1f}" for week in run if np.isfinite(y[week]))
        for run in runs
        if np.isfinite(y[run]).sum() > 1
    ]
    return Sparkline(lines=lines, points=points, description=_describe(weeks))


def _describe(weeks: Weeks) -> str:
    values = ", ".join(_signed(mean) if np.isfinite(mean) else _("nothing") for mean in weeks.means)
    return _("Mood by week from -1 (dark) to 1 (bright), the oldest first: %(values)s") % {"values": values}


def _signed(number: float) -> str:
    """Return a number with its sign, as the reader's language writes it."""
    rounded = round(float(number), 2) + 0.0
    return ("+" if rounded > 0 else "") + formats.number_format(rounded, decimal_pos=2)
