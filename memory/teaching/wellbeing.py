"""How students seem to be, from metadata alone: indicators in words and a small picture whose text says the same; auditors' pages of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from companion_site.accounts.classes import audited_student, audited_students
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.audit.checkpoint_services import look_at_last_checkpoint
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
PER_PAGE = 50


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


def present_students(students: list[Person], *, now: datetime) -> list[StudentCard]:
    """Return the cards of students, in the order given."""
    spaces = {student.space_id: student for student in students if student.space_id is not None}
    found = indicate_wellbeing(spaces, now=now)
    return [
        StudentCard(
            student=spaces[space],
            wellbeing=wellbeing,
            mood=DIRECTIONS[wellbeing.trend.direction],
            sparkline=draw_weeks(wellbeing.weeks),
        )
        for space, wellbeing in found.items()
    ]


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


@require_safe
def students(request: PersonRequest) -> HttpResponse:
    """Show the students of an auditor's school at a glance."""
    page = Paginator(audited_students(request.user), PER_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    cards = present_students(list(page.object_list), now=now)
    context = {"page": page, "students": cards, "checkpoint": look_at_last_checkpoint(now)}
    return render(request, "teaching/wellbeing.html", context)


@require_safe
def student(request: PersonRequest, student_id: UUID) -> HttpResponse:
    """Show the indicators of one student."""
    row = audited_student(request.user, student_id)
    (card,) = present_students([row], now=timezone.now())
    context = {"card": card, "slope": slope_context(card.wellbeing)}
    return render(request, "teaching/wellbeing_student.html", context)
