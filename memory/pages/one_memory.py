"""One memory by itself: its words, where it came from, what it replaced and what it hangs together with."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from companion_site.errors import NotFound
from memory.models import MemoryEdge
from memory.pages.selectors import Shown, load_edges, load_memories
from memory.pages.timeline import show_moments

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
    return {"moment": moments[0], "related": related_memories(space, node_id, now=now)}


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
