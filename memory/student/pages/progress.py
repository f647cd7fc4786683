"""How the student is getting on, as the page shows it: each line with the memories it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db.models import Q

from companion_site.embeddings.service import get_embedder
from memory.student.assessment import GOALS, QUESTIONS, STRENGTHS, STRUGGLES, Assessment, Line, assess
from memory.student.pages.picture import current_set
from memory.student.pages.selectors import Shown, load_memories
from memory.student.pages.words import say_confidence
from memory.student.snapshots import name_section


@dataclass(frozen=True, kw_only=True)
class ShownLine:
    """One line and the memories it rests on, the heaviest first."""

    text: str
    is_sure: bool
    confidence_word: str
    memories: Sequence[Shown]


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of the assessment."""

    kind: str
    label: str
    lines: Sequence[ShownLine]
    monday: date | None = None


def assess_now(space: UUID, *, now: datetime) -> Assessment:
    return assess(current_set(space), embedder=get_embedder(), now=now)


def show_assessment(
    space: UUID, assessment: Assessment, *, now: datetime
) -> tuple[list[Section], list[Section]]:
    """Return the parts of an assessment and its weeks, with memories to look at."""
    every = [*(line for lines in assessment.lines.values() for line in lines)]
    every += [line for week in assessment.weeks for line in week.lines]
    named = {node for line in every for node in line.memories}
    known = {memory.id: memory for memory in load_memories(space, Q(pk__in=named), now=now)}
    parts = [
        Section(kind=kind, label=name_section(kind), lines=_show(assessment.lines[kind], known))
        for kind in (STRENGTHS, STRUGGLES, GOALS, QUESTIONS)
    ]
    weeks = [
        Section(kind="week", label="", lines=_show(week.lines, known), monday=week.monday)
        for week in assessment.weeks
    ]
    return parts, weeks


def _show(lines: Sequence[Line], known: Mapping[UUID, Shown]) -> list[ShownLine]:
    return [
        ShownLine(
            text=line.text,
            is_sure=line.is_sure,
            confidence_word=say_confidence(line.confidence),
            memories=[known[node] for node in line.memories if node in known],
        )
        for line in lines
    ]
