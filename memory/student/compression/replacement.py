"""Putting one memory in the place of several: what a merge of compression and an insight of sleep have in common.

Of each of the several a tombstone stays that says what it became, with its content until the days to undo it are over.
The one gets all their sources, and their edges lead to it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.ids import new_id
from companion_site.vault.columns import set_each
from memory.models import MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.student.entities.store import carry_mentions
from memory.student.ingest.store import refresh_strength, vector_row

BATCH = 500

#: source, target, type, weight
NewEdge = tuple[UUID, UUID, str, float]


@dataclass(frozen=True, kw_only=True)
class Successor:
    """One memory that takes the place of several.

    Attributes:
        node: the row to be; writing sets its version.
        members: those whose place it takes, the first said first.
        sources: copies of theirs.
        vector: (d,) unit length.
    """

    node: MemoryNode
    members: Sequence[UUID]
    sources: Sequence[MemorySource]
    vector: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Replaced:
    """Which edges were there and which came for them, each at both of its ends."""

    before: Mapping[UUID, Sequence[MemoryEdge]]
    after: Mapping[UUID, Sequence[MemoryEdge]]

    def describe(self, successor: Successor) -> dict[str, object]:
        """Return what undoing needs: the members' edges, and which rows came for them."""
        edges = {edge.pk: edge for member in successor.members for edge in self.before.get(member, ())}
        return {
            "edges": [describe_edge(edge) for edge in edges.values()],
            "merged": str(successor.node.pk),
            "created": [str(edge.pk) for edge in self.after.get(successor.node.pk, ())],
        }


def make_successor(
    space: UUID,
    members: Sequence[MemoryNode],
    *,
    gravity: Sequence[float],
    sources: Sequence[Sequence[MemorySource]],
    vector: np.ndarray,
    **shape: Any,
) -> Successor:
    """Return what several memories become.

    Gravity and the time of its last access are those of its heaviest member, just as they are stored: nothing
    decayed is ever written, and at every later moment it weighs what the heaviest would.

    Args:
        members: the first said first.
        gravity: of each member, as it is now.
        sources: of each member.
        shape: the other fields of the row: id, content, content_hash, language, confidence, tier and the like.
    """
    heaviest = members[max(range(len(members)), key=lambda at: gravity[at])]
    node = MemoryNode(
        space_id=space,
        modality=heaviest.modality,
        trust=MemoryNode.Trust.DERIVED,
        salience=max(member.salience for member in members),
        gravity=heaviest.gravity,
        valence=sum(member.valence for member in members) / len(members),
        formed_at=min(member.formed_at for member in members),
        accessed_at=heaviest.accessed_at,
        **shape,
    )
    return Successor(
        node=node,
        members=[member.pk for member in members],
        sources=copy_sources(space, node.pk, [source for each in sources for source in each]),
        vector=vector,
    )


def replace_memories(
    space: UUID,
    successors: Sequence[Successor],
    *,
    also_gone: Sequence[UUID] = (),
    edges: Iterable[MemoryEdge],
    new_edges: Iterable[NewEdge],
    model: str,
    version: int,
    now: datetime,
    until: datetime,
) -> Replaced:
    """Bury the members, and write what takes their place. The caller holds the space's lock and transaction.

    Args:
        also_gone: memories that go without anything in their place.
        edges: at least all that lead to or from a memory that goes.
        new_edges: those of the successors.
        until: when the content of the tombstones may go.
    """
    gone = {*also_gone, *(member for successor in successors for member in successor.members)}
    bury(space, sorted(gone), version=version, now=now, until=until)
    _create(space, successors, model=model, version=version)
    told = {each.node.pk: (each.node.content or "", each.members) for each in successors}
    carry_mentions(space, told, version=version)
    before = {end: found for end, found in _by_end(edges).items() if end in gone}
    loose = {edge.pk: edge for found in before.values() for edge in found}
    MemoryEdge.objects.for_space(space).filter(pk__in=loose).delete()
    created = _create_edges(space, new_edges, version=version, now=now)
    into = {member: successor.node.pk for successor in successors for member in successor.members}
    set_each(MemoryNode, space, into, field="merged_into")
    _refresh(space, [*loose.values(), *created], version=version)
    return Replaced(before=before, after=_by_end(created))


def bury(space: UUID, nodes: Sequence[UUID], *, version: int, now: datetime, until: datetime) -> None:
    """Leave tombstones."""
    rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes)
    rows.update(removed_at=now, content_until=until, version=version)


def lead_on(edges: Iterable[MemoryEdge], into: Mapping[UUID, UUID]) -> list[NewEdge]:
    """Return the edges as they are after each end became what `into` says; of parallel ones the strongest."""
    strongest: dict[tuple[UUID, UUID, str], float] = {}
    for edge in edges:
        source, target = (into.get(end, end) for end in (edge.source_id, edge.target_id))
        if source != target:
            key = (source, target, edge.type)
            strongest[key] = max(strongest.get(key, 0.0), edge.weight)
    return [(*key, weight) for key, weight in strongest.items()]


def copy_sources(space: UUID, node: UUID, sources: Iterable[MemorySource]) -> list[MemorySource]:
    """Return a copy of every source for `node`, each place once."""
    copies: dict[tuple, MemorySource] = {}
    for source in sources:
        place = (source.kind, source.source_id, source.start)
        known = copies.get(place)
        if known is not None:
            known.end = max(known.end, source.end)
            continue
        copies[place] = MemorySource(
            space_id=space,
            node_id=node,
            kind=source.kind,
            source_id=source.source_id,
            conversation_id=source.conversation_id,
            position=source.position,
            start=source.start,
            end=source.end,
            said_at=source.said_at,
            speaker=source.speaker,
        )
    return list(copies.values())


def describe_edge(edge: MemoryEdge) -> dict[str, object]:
    """Return an edge as it is kept for undoing."""
    return {
        "id": str(edge.pk),
        "source": str(edge.source_id),
        "target": str(edge.target_id),
        "type": edge.type,
        "weight": edge.weight,
        "formed_at": edge.formed_at.isoformat(),
    }


def _create(space: UUID, successors: Sequence[Successor], *, model: str, version: int) -> None:
    for successor in successors:
        successor.node.version = version
    MemoryNode.objects.bulk_create([successor.node for successor in successors], batch_size=BATCH)
    MemorySource.objects.bulk_create(
        [source for successor in successors for source in successor.sources], batch_size=BATCH
    )
    vectors = [vector_row(space, each.node.pk, each.vector, model=model) for each in successors]
    MemoryVector.objects.bulk_create(vectors, batch_size=BATCH)


def _create_edges(
    space: UUID, new_edges: Iterable[NewEdge], *, version: int, now: datetime
) -> list[MemoryEdge]:
    edges = [
        MemoryEdge(
            id=new_id(),
            space_id=space,
            source_id=source,
            target_id=target,
            type=kind,
            weight=weight,
            formed_at=now,
            version=version,
        )
        for source, target, kind, weight in new_edges
    ]
    return MemoryEdge.objects.bulk_create(edges, batch_size=BATCH)


def _by_end(edges: Iterable[MemoryEdge]) -> dict[UUID, list[MemoryEdge]]:
    found: dict[UUID, list[MemoryEdge]] = defaultdict(list)
    for edge in edges:
        found[edge.source_id].append(edge)
        found[edge.target_id].append(edge)
    return found


def _refresh(space: UUID, edges: Iterable[MemoryEdge], *, version: int) -> None:
    nodes = {end for edge in edges for end in (edge.source_id, edge.target_id)}
    refresh_strength(space, nodes)
    MemoryNode.objects.for_space(space).filter(pk__in=nodes).update(version=version)
