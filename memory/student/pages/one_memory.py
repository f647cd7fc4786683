"""Single memories: where each came from, what it replaced, was made of and hangs together with; and all in the order they formed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.models import MemoryChange, MemoryEdge, MemoryNode
from memory.student.pages.selectors import Shown, load_edges, load_memories
from memory.student.params import SLEEP

Members = Mapping[UUID, Sequence[UUID]]
PAGE_LENGTH = 40
REPLACEMENTS = (MemoryChange.Kind.SUPERSEDED, MemoryChange.Kind.CORRECTED)
MOST_RELATED = 12
NOWHERE = UUID(int=0)


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One memory on the timeline, with its neighbours in time and the change that can be taken back."""

    memory: Shown
    replaced: list[Shown]
    newer: Shown | None
    change: UUID | None


def read_members(space: UUID) -> Members:
    """Return what each memory was made of, one step back.

    What was made of others and taken apart again points to one of them, and is part of nothing.
    """
    found: dict[UUID, list[UUID]] = defaultdict(list)
    with space_scope(space):
        # All that were ever merged are few; naming ids in the query would cost more.
        rows = (
            MemoryNode.objects.for_space(space).filter(merged_into__isnull=False).order_by("formed_at", "id")
        )
        merged = list(rows.values_list("pk", "merged_into_id", "trust"))
    made_of_others = {into for _, into, _ in merged}
    for node, into, trust in merged:
        if trust != MemoryNode.Trust.DERIVED or node in made_of_others:
            found[into].append(node)
    return found


def first_memories(members: Members, node: UUID) -> list[UUID]:
    """Return the memories that were there first behind one; none behind one that was itself there first."""
    found: list[UUID] = []
    seen, waiting = {node}, list(members.get(node, ()))
    while waiting:
        at = waiting.pop(0)
        if at in seen:
            continue
        seen.add(at)
        behind = members.get(at, ())
        waiting.extend(behind)
        if not behind:
            found.append(at)
    return found


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
    others = {
        node
        for memory in memories
        for node in (*memory.replaces, memory.superseded_by, memory.merged_into)
        if node is not None
    }
    known = {memory.id: memory for memory in memories}
    known |= {memory.id: memory for memory in load_memories(space, Q(pk__in=others - known.keys()), now=now)}
    changes = standing_changes(space, nodes)
    return [
        Moment(
            memory=memory,
            replaced=[known[node] for node in memory.replaces if node in known],
            newer=known.get(memory.superseded_by or memory.merged_into or NOWHERE),
            change=changes.get(memory.id) if _can_come_back(memory, known) else None,
        )
        for memory in memories
    ]


def _can_come_back(memory: Shown, known: dict[UUID, Shown]) -> bool:
    """Return whether what took a memory away can be undone; not before what it became is back, if that went too."""
    became = known.get(memory.merged_into) if memory.merged_into is not None else None
    return bool(memory.ended_at and memory.text) and (became is None or became.ended_at is None)


def standing_changes(space: UUID, nodes: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the last change that took each of these memories away and was not undone."""
    with space_scope(space):
        rows = MemoryChange.objects.for_space(space).filter(
            undone_at__isnull=True, node_ids__has_any_keys=[str(node) for node in nodes]
        )
        changes = list(rows.order_by("id").values_list("pk", "kind", "node_ids"))
    found = {}
    for change, kind, ids in changes:
        # A replacement names what took the place after what gave it up.
        gone = {UUID(node) for node in (ids[:1] if kind in REPLACEMENTS else ids)}
        found.update(dict.fromkeys(gone.intersection(nodes), change))
    return found


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
    parts = members.get(node_id, ())
    made_of = load_memories(space, Q(pk__in=first_memories(members, node_id)), now=now)[::-1]
    stands_for = {memory.id for memory in made_of} | set(parts)
    others = [old for old in moment.replaced if old.id not in stands_for]
    return {
        "moment": moment,
        "made_of": made_of,
        # What was made of others and taken apart again is no part of what it points to.
        "replaced": [
            old for old in others if not old.is_derived or old.merged_into is None or old.id in members
        ],
        "earlier": [old for old in moment.replaced if old.id in parts and old.id in members],
        "related": _related(space, node_id, now=now),
        "most_sleeps": SLEEP.most_sleeps,
    }


def _related(space: UUID, node_id: UUID, *, now: datetime) -> list[dict[str, Any]]:
    """Return the memories that hold and that edges lead to, the strongest first, and how the two hang together."""
    edges = sorted(load_edges(space, [node_id]), key=lambda edge: -edge[3])
    kinds: dict[UUID, str] = {}
    for source, target, kind, _ in edges:
        kinds.setdefault(target if source == node_id else source, kind)
    held = Q(superseded_at__isnull=True, removed_at__isnull=True)
    memories = {memory.id: memory for memory in load_memories(space, held & Q(pk__in=kinds), now=now)}
    return [
        {"memory": memories[node], "label": str(MemoryEdge.Type(kind).label)}
        for node, kind in kinds.items()
        if node in memories
    ][:MOST_RELATED]
