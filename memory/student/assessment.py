"""How a student is getting on, told from their own memory: strengths, struggles, goals, what they worked on, what is open.

Nothing is added to what is remembered, and what speaks of danger is not told. Each line is a memory in its own words with those
that say nearly the same, and names all of them. A memory's kind is its category where formation or a person gave one; otherwise
the reader's head decides, and what is doubtful is left out.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

import numpy as np
from django.utils import timezone

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.scope import space_scope
from memory.algorithms.clustering import group_alike
from memory.models import MemoryNode, MemorySource
from memory.reading.params import READING
from memory.reading.service import get_heads
from memory.student.recall.ranking import present_gravity
from memory.student.workingset import WorkingSet

STRENGTHS, STRUGGLES, GOALS, WORK, QUESTIONS = "strengths", "struggles", "goals", "work", "questions"
NONE = "none"
#: how somebody likes to work, and what things look and sound like, is no achievement and no failure
UNASSESSED = {MemoryNode.Modality.PROCEDURAL, MemoryNode.Modality.SENSORY}
#: memories at least this similar speak of the same and make one line
ALIKE = 0.8
#: At least so sure a line needs no "perhaps".
SURE = 0.8
MOST_LINES, MOST_WEEKS = 8, 8
LESSONS = {MemorySource.Kind.LESSON, MemorySource.Kind.PROMPT_RUN}
WONDERING = re.compile(r"\?\s*$|^\W*(?:i wonder|i'm wondering|i am wondering|jag undrar)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing that can be said: the words of the heaviest memory, and all that it rests on."""

    text: str
    confidence: float
    memories: Sequence[UUID]

    @property
    def is_sure(self) -> bool:
        return self.confidence >= SURE


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """Lines by kind, the heaviest first, and what was worked on by the Monday of its week, the last first."""

    lines: Mapping[str, Sequence[Line]]
    weeks: Mapping[date, Sequence[Line]]

    @property
    def is_empty(self) -> bool:
        return not self.weeks and not any(self.lines.values())


def assess(working_set: WorkingSet, *, embedder: Embedder, now: datetime) -> Assessment:
    """Return what an unlocked space's memory says about how its student is getting on."""
    with working_set.lock:
        gravity = present_gravity(working_set, now=now)
        lasting = (
            working_set.corpus.alive & (working_set.expires_at > now.timestamp()) & ~working_set.of_danger
        )
        by_kind = _sort(working_set, np.flatnonzero(lasting), embedder)
        by_week: dict[date, list[int]] = defaultdict(list)
        for row in by_kind[WORK]:
            day = datetime.fromtimestamp(working_set.said_at[row], tz=timezone.get_current_timezone()).date()
            by_week[day - timedelta(days=day.weekday())].append(row)
        return Assessment(
            lines={
                kind: _lines(working_set, by_kind[kind], gravity, embedder)
                for kind in (STRENGTHS, STRUGGLES, GOALS, QUESTIONS)
            },
            weeks={
                monday: _lines(working_set, by_week[monday], gravity, embedder)
                for monday in sorted(by_week, reverse=True)[:MOST_WEEKS]
            },
        )


def is_question(text: str) -> bool:
    """Return whether the words ask something, in English or Swedish."""
    return WONDERING.search(text) is not None


def _sort(working_set: WorkingSet, rows: np.ndarray, embedder: Embedder) -> dict[str, list[int]]:
    """Return the memories of each kind: what each was called, else a question, else what the reader says, else a lesson."""
    with space_scope(working_set.space):
        sources = MemorySource.objects.for_space(working_set.space).filter(kind__in=LESSONS)
        lessons = set(sources.values_list("node_id", flat=True))
    by_kind: dict[str, list[int]] = defaultdict(list)
    texts = [working_set.nodes[row].text or "" for row in rows.tolist()]
    read = read_parts(texts, working_set.corpus.vectors[rows], embedder)
    for row, (part, chance) in zip(rows.tolist(), read, strict=True):
        node = working_set.nodes[row]
        is_sure = part in (STRENGTHS, STRUGGLES, GOALS, WORK) and chance >= READING.part
        kind = part if is_sure else NONE
        if node.category in (STRENGTHS, STRUGGLES, GOALS):
            kind = node.category
        elif not node.category and is_question(node.text or ""):
            kind = QUESTIONS
        elif not node.category and node.modality in UNASSESSED:
            kind = NONE
        by_kind[WORK if kind == NONE and node.id in lessons else kind].append(row)
    return by_kind


def read_parts(texts: Sequence[str], vectors: np.ndarray, embedder: Embedder) -> list[tuple[str, float]]:
    """Return what the reader most likely takes each memory for, and how likely that is."""
    if not texts:
        return []
    told = get_heads(embedder).read_texts("fact", texts, vectors)["part"]
    parts = [told.likeliest(row) for row in range(len(texts))]
    return [(part, told.of(part, row)) for row, part in enumerate(parts)]


def _lines(
    working_set: WorkingSet, rows: Sequence[int], gravity: np.ndarray, embedder: Embedder
) -> list[Line]:
    """Return what memories say, those that say nearly the same as one line, the heaviest first."""
    if not rows:
        return []
    ordered = sorted(rows, key=lambda row: -gravity[row])
    vectors = working_set.corpus.vectors[ordered]
    alike = group_alike(embedder.calibration.similarity(vectors @ vectors.T), least=ALIKE)
    groups: dict[int, list[int]] = defaultdict(list)
    for row, number in zip(ordered, alike.tolist(), strict=True):
        groups[number].append(row)
    by_weight = sorted(groups.values(), key=lambda group: -float(gravity[group].sum()))
    alike_nodes = [[working_set.nodes[row] for row in group] for group in by_weight[:MOST_LINES]]
    return [
        Line(
            text=nodes[0].text or "",
            confidence=max(node.confidence for node in nodes),
            memories=[node.id for node in nodes],
        )
        for nodes in alike_nodes
    ]
