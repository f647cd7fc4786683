"""What stands behind a memory that was made of others: those that were there first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.models import MemoryNode

Members = Mapping[UUID, Sequence[UUID]]


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


def first_memories(members: Members, nodes: Iterable[UUID]) -> dict[UUID, list[UUID]]:
    """Return the memories that were there first behind each of `nodes`; none behind one that was itself there first."""
    return {node: _first(members, node) for node in nodes}


def _first(members: Members, node: UUID) -> list[UUID]:
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
