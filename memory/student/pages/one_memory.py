"""One memory by itself: its words, where it came from, what it replaced and what it hangs together with."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from companion_site.errors import NotFound
from memory.models import MemoryEdge
from memory.student.pages.lineage import Members, first_memories, read_members
from memory.student.pages.selectors import Shown, load_edges, load_memories
from memory.student.pages.timeline import show_moments
from memory.student.sleep.params import SLEEP

MOST_RELATED = 12


@dataclass(frozen=True, kw_only=True)
class Related:
    """A memory at the other end of an edge, and how the two hang together."""

    memory: Shown
    label: str


def present_memory(space: UUID, node_id: UUID, *, now: datetime) -> dict[str, Any]:
    """Return what the page of one memory shows.

    Raises:
        NotFound: the space has no such memory.
    """
    moments = show_moments(space, [node_id], now=now)
    if not moments:
        raise NotFound()
    (moment,) = moments
    members = read_members(space)
    made_of = made_of_memories(space, members, node_id, now=now)
    stands_for = {memory.id for memory in made_of} | set(members.get(node_id, ()))
    return {
        "moment": moment,
        "made_of": made_of,
        "replaced": [
            old for old in moment.replaced if old.id not in stands_for and not _came_apart(old, members)
        ],
        "earlier": [
            old for old in moment.replaced if old.id in members.get(node_id, ()) and old.id in members
        ],
        "related": related_memories(space, node_id, now=now),
        "most_sleeps": SLEEP.most_sleeps,
    }


def made_of_memories(space: UUID, members: Members, node_id: UUID, *, now: datetime) -> list[Shown]:
    """Return the memories that were there first behind one that was made of others, the first formed first."""
    first = first_memories(members, [node_id])[node_id]
    return load_memories(space, Q(pk__in=first), now=now)[::-1]


def _came_apart(old: Shown, members: Members) -> bool:
    """Return whether a memory was made of others and taken apart again: no part of what it points to."""
    return old.is_derived and old.merged_into is not None and old.id not in members


def related_memories(space: UUID, node_id: UUID, *, now: datetime) -> list[Related]:
    """Return the memories that hold and that edges lead to, the strongest first."""
    edges = sorted(load_edges(space, [node_id]), key=lambda edge: -edge[3])
    kinds: dict[UUID, str] = {}
    for source, target, kind, _ in edges:
        kinds.setdefault(target if source == node_id else source, kind)
    held = Q(superseded_at__isnull=True, removed_at__isnull=True)
    memories = {memory.id: memory for memory in load_memories(space, held & Q(pk__in=kinds), now=now)}
    return [
        Related(memory=memories[node], label=str(MemoryEdge.Type(kind).label))
        for node, kind in kinds.items()
        if node in memories
    ][:MOST_RELATED]
