"""Memories in the order they formed, the newest first, with what replaced what."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q

from companion_site.vault.scope import space_scope
from memory.models import MemoryChange, MemoryNode
from memory.student.pages.selectors import Shown, load_memories

PAGE_LENGTH = 40
REPLACEMENTS = (MemoryChange.Kind.SUPERSEDED, MemoryChange.Kind.CORRECTED)


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One memory on the timeline, with its neighbours in time and the change that can be taken back."""

    memory: Shown
    replaced: list[Shown]
    newer: Shown | None
    change: UUID | None


def page_of_memories(space: UUID, number: str | None) -> Page:
    """Return one page of ids, the newest first; a number that makes no sense leads to the nearest page."""
    with space_scope(space):
        ids = list(
            MemoryNode.objects.for_space(space).order_by("-formed_at", "-id").values_list("pk", flat=True)
        )
    return Paginator(ids, PAGE_LENGTH).get_page(number)


def show_moments(space: UUID, nodes: list[UUID], *, now: datetime) -> list[Moment]:
    """Return memories with what they replaced and what replaced them, the newest first."""
    memories = load_memories(space, Q(pk__in=nodes), now=now)
    others = {node for memory in memories for node in _neighbours(memory)}
    known = {memory.id: memory for memory in memories}
    known |= {memory.id: memory for memory in load_memories(space, Q(pk__in=others - known.keys()), now=now)}
    changes = standing_changes(space, nodes)
    return [
        Moment(
            memory=memory,
            replaced=[known[node] for node in memory.replaces if node in known],
            newer=_newer(memory, known),
            change=changes.get(memory.id) if _can_come_back(memory, known) else None,
        )
        for memory in memories
    ]


def standing_changes(space: UUID, nodes: list[UUID]) -> dict[UUID, UUID]:
    """Return the last change that took each of these memories away and was not undone."""
    wanted = set(nodes)
    with space_scope(space):
        rows = MemoryChange.objects.for_space(space).filter(
            undone_at__isnull=True, node_ids__has_any_keys=[str(node) for node in nodes]
        )
        changes = list(rows.order_by("id").values_list("pk", "kind", "node_ids"))
    found = {}
    for change, kind, ids in changes:
        # A replacement names what took the place after what gave it up.
        gone = ids[:1] if kind in REPLACEMENTS else ids
        found.update({UUID(node): change for node in gone if UUID(node) in wanted})
    return found


def _newer(memory: Shown, known: dict[UUID, Shown]) -> Shown | None:
    """Return what took a memory's place."""
    place = memory.superseded_by or memory.merged_into
    return known.get(place) if place is not None else None


def _can_come_back(memory: Shown, known: dict[UUID, Shown]) -> bool:
    """Return whether what took a memory away can be undone; not before what it became is back, if that went too."""
    became = known.get(memory.merged_into) if memory.merged_into is not None else None
    return bool(memory.ended_at and memory.text) and (became is None or became.ended_at is None)


def _neighbours(memory: Shown) -> set[UUID]:
    return {*memory.replaces, *(node for node in (memory.superseded_by, memory.merged_into) if node)}
