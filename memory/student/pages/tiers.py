"""What is held on to: long-term memories by category, and the short-term ones with what awaits them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory.models import MemoryNode
from memory.student.pages.one_memory import first_memories, read_members
from memory.student.pages.selectors import Shown, fill_in, load_shapes

#: of each part so many are shown; the list under the picture has all
MOST_SHOWN = 20
HELD_NOW = Q(superseded_at__isnull=True, removed_at__isnull=True)


@dataclass(frozen=True, kw_only=True)
class Held:
    """One long-term memory, and how many memories stand behind it."""

    memory: Shown
    behind: int


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of long-term memory, what was renewed last first."""

    category: str
    label: str
    count: int
    held: Sequence[Held]


@dataclass(frozen=True, kw_only=True)
class ShortTerm:
    """Short-term memories of one fate, the newest first."""

    count: int
    memories: Sequence[Shown]


@dataclass(frozen=True, kw_only=True)
class HeldOnTo:
    """Both tiers."""

    parts: Sequence[Part]
    awaiting: ShortTerm
    let_go: ShortTerm

    @property
    def is_empty(self) -> bool:
        return not (self.awaiting.count or self.let_go.count or any(part.count for part in self.parts))


def still_held(now: datetime) -> Q:
    """Return what is neither replaced nor removed, and whose time as a short-term memory is not over."""
    return HELD_NOW & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))


def present_held(space: UUID, *, now: datetime) -> HeldOnTo:
    """Return what holds now, in both tiers."""
    shapes = load_shapes(space, still_held(now), now=now)
    fresh = [shape for shape in shapes if shape.awaits_sleep]
    let_go = [shape for shape in shapes if not shape.is_long_term and not shape.awaits_sleep]
    return HeldOnTo(
        parts=_parts(space, [shape for shape in shapes if shape.is_long_term]),
        awaiting=_short_term(space, fresh),
        let_go=_short_term(space, let_go),
    )


def _parts(space: UUID, shapes: Sequence[Shown]) -> list[Part]:
    """Return the four parts, and one of what stands in none where there is any."""
    latest = sorted(shapes, key=lambda shape: shape.slept_over_at or shape.formed_at, reverse=True)
    by_part = {
        category: [shape for shape in latest if shape.category == category]
        for category in (*(named for named in MemoryNode.Category if named), MemoryNode.Category.NONE)
    }
    shown = fill_in(space, [shape for held in by_part.values() for shape in held[:MOST_SHOWN]])
    behind = first_memories(read_members(space), [memory.id for memory in shown])
    held = [Held(memory=memory, behind=len(behind[memory.id])) for memory in shown]
    return [
        Part(
            category=str(category),
            label=str(category.label) if category else "",
            count=len(found),
            held=[one for one in held if one.memory.category == category],
        )
        for category, found in by_part.items()
        if category or found
    ]


def _short_term(space: UUID, shapes: Sequence[Shown]) -> ShortTerm:
    return ShortTerm(count=len(shapes), memories=fill_in(space, shapes[:MOST_SHOWN]))
