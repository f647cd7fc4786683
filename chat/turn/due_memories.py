"""Memories with a day that comes up, where that is asked for: such a day has few words in common with the question."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from companion_site.language import Language
from memory.algorithms.reminders import day_within, span_asked_for
from memory.models import MemoryNode
from memory.reading.answers import find_sought
from memory.student.recall.ranking import Recalled, as_recalled, present_gravity
from memory.student.workingset import WorkingSet, said_at

MOST = 8


def find_due(
    working_set: WorkingSet, question: str, *, besides: Collection[UUID], language: Language, now: datetime
) -> list[Recalled]:
    """Return what the person said themselves of the days that a question about what comes up is meant for, the soonest first.

    Args:
        now: local time.
    """
    if "coming" not in find_sought(question):
        return []
    span = span_asked_for(question, language=language, now=now)
    with working_set.lock:
        gravity, expires_at = present_gravity(working_set, now=now), working_set.expires_at
        held = [
            (node, float(gravity[row]))
            for row, node in enumerate(working_set.nodes)
            if node.alive
            and not node.of_danger
            and node.trust == MemoryNode.Trust.PERSON
            and node.id not in besides
            and expires_at[row] > now.timestamp()
        ]
    due = []
    for node, weight in held:  # reading their days takes long, and others wait for the lock
        told = datetime.fromtimestamp(said_at(node), now.tzinfo)
        day = day_within(node.text or "", language=language, said_at=told, span=span)
        if day is not None:
            due.append((day, as_recalled(node, weight)))
    return [memory for _day, memory in sorted(due, key=lambda one: one[0])[:MOST]]
