"""Contradictions as the review page shows them: two memories that cannot both be true now."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory.student.contradictions.review import list_open
from memory.student.pages.selectors import Shown, load_memories


@dataclass(frozen=True, kw_only=True)
class ShownContradiction:
    """What was said first, what was said later, and what made the companion ask."""

    id: UUID
    earlier: Shown
    later: Shown
    found_by: str


def open_contradictions(space: UUID, *, now: datetime) -> list[ShownContradiction]:
    """Return what waits for the person's word, the oldest first, as far as both memories still hold."""
    found = list_open(space)
    ids = {node for one in found for node in (one.earlier_id, one.later_id)}
    known = {memory.id: memory for memory in load_memories(space, Q(pk__in=ids), now=now)}
    return [
        ShownContradiction(
            id=one.pk,
            earlier=known[one.earlier_id],
            later=known[one.later_id],
            found_by=one.get_found_by_display(),
        )
        for one in found
    ]
