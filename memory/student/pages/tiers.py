"""What is held on to: long-term memories by category, and the short-term ones with what awaits them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.models import MemoryNode
from memory.student.pages.one_memory import first_memories, read_members
from memory.student.pages.selectors import Shown, fill_in, load_shapes

#: of each part so many are shown; the list under the picture has all
MOST_SHOWN = 20
HELD_NOW = Q(superseded_at__isnull=True, removed_at__isnull=True)


def still_held(now: datetime) -> Q:
    """Return what is neither replaced nor removed, and whose time as a short-term memory is not over."""
    return HELD_NOW & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))


def present_held(space: UUID, *, now: datetime) -> dict[str, Any]:
    """Return what holds now: the parts of long-term memory, and of what is short-term what awaits sleep and what was let go."""
    shapes = load_shapes(space, still_held(now), now=now)
    short = [shape for shape in shapes if not shape.is_long_term]
    fresh = [shape for shape in short if shape.awaits_sleep]
    let_go = [shape for shape in short if not shape.awaits_sleep]
    return {
        "is_empty": not shapes,
        "parts": _parts(space, [shape for shape in shapes if shape.is_long_term]),
        "awaiting": {"count": len(fresh), "memories": fill_in(space, fresh[:MOST_SHOWN])},
        "let_go": {"count": len(let_go), "memories": fill_in(space, let_go[:MOST_SHOWN])},
    }


def _parts(space: UUID, shapes: Sequence[Shown]) -> list[dict[str, Any]]:
    """Return the four parts, what was renewed last first, and one of what stands in none where there is any.

    Each memory comes with how many stand behind it.
    """
    latest = sorted(shapes, key=lambda shape: shape.slept_over_at or shape.formed_at, reverse=True)
    categories = (*(named for named in MemoryNode.Category if named), MemoryNode.Category.NONE)
    by_part = {part: [shape for shape in latest if shape.category == part] for part in categories}
    shown = fill_in(space, [shape for held in by_part.values() for shape in held[:MOST_SHOWN]])
    members = read_members(space)
    return [
        {
            "category": str(part),
            "label": str(part.label) if part else "",
            "count": len(found),
            "held": [
                {"memory": memory, "behind": len(first_memories(members, memory.id))}
                for memory in shown
                if memory.category == part
            ],
        }
        for part, found in by_part.items()
        if part or found
    ]
