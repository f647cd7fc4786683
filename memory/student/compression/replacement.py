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

from companion_site.vault.columns import set_each
from companion_site.vault.keyring import hash_words
from memory.models import MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.student.entities import carry_mentions
from memory.student.store import BATCH, NewEdge, bury, create_edges, refresh_strength, vector_row

#: what a copy of a source has of it
OF_SOURCE = {field.attname for field in MemorySource._meta.concrete_fields} - {"id", "node_id"}


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


def make_successor(
    space: UUID,
    members: Sequence[MemoryNode],
    text: str,
    *,
    gravity: Sequence[float],
    sources: Sequence[Sequence[MemorySource]],
    vector: np.ndarray,
    **shape: Any,
) -> Successor:
    """Return what several memories become, in these words. The space is unlocked by the caller.

    Gravity and the time of its last access are those of its heaviest member, just as they are stored: nothing
    decayed is ever written, and at every later moment it weighs what the heaviest would.

    Args:
        members: the first said first.
        gravity: of each member, as it is now.
        sources: of each member.
        shape: the other fields of the row: language, confidence, tier and the like.
    """
    heaviest = members[max(range(len(members)), key=lambda at: gravity[at])]
    node = MemoryNode(
        space_id=space,
        content=text,
        content_hash=hash_words(space, text),
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
        sources=copy_sources(node.pk, [source for each in sources for source in each]),
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
) -> dict[UUID, dict[str, object]]:
    """Bury the members, and write what takes their place. The caller holds the space's lock and transaction.

    Args:
        also_gone: memories that go without anything in their place.
        edges: at least all that lead to or from a memory that goes.
        new_edges: those of the successors.

    Returns:
        What undoing needs, by successor and by each memory that goes alone: the edges that were there, and which rows came.
    """
    gone = {*also_gone, *(member for successor in successors for member in successor.members)}
    bury(space, gone, version=version, now=now)
    for successor in successors:
        successor.node.version = version
    MemoryNode.objects.bulk_create([each.node for each in successors], batch_size=BATCH)
    MemorySource.objects.bulk_create(
        [source for each in successors for source in each.sources], batch_size=BATCH
    )
    vectors = [vector_row(space, each.node.pk, each.vector, model=model) for each in successors]
    MemoryVector.objects.bulk_create(vectors, batch_size=BATCH)
    told = {each.node.pk: (each.node.content or "", each.members) for each in successors}
    carry_mentions(space, told, version=version)
    loose = {edge.pk: edge for edge in edges if edge.source_id in gone or edge.target_id in gone}
    MemoryEdge.objects.for_space(space).filter(pk__in=loose).delete()
    created = create_edges(space, new_edges, version=version, now=now)
    into = {member: successor.node.pk for successor in successors for member in successor.members}
    set_each(MemoryNode, space, into, field="merged_into")
    before, after = _by_end(loose.values()), _by_end(created)
    ends = before.keys() | after.keys()
    refresh_strength(space, ends)
    MemoryNode.objects.for_space(space).filter(pk__in=ends).update(version=version)
    undoing: dict[UUID, dict[str, object]] = {
        node: {"edges": _describe(before, [node])} for node in also_gone
    }
    for each in successors:
        undoing[each.node.pk] = {
            "edges": _describe(before, each.members),
            "merged": str(each.node.pk),
            "created": [str(edge.pk) for edge in after[each.node.pk]],
        }
    return undoing


def copy_sources(node: UUID, sources: Iterable[MemorySource]) -> list[MemorySource]:
    """Return a copy of every source for `node`, each place once."""
    copies: dict[tuple, MemorySource] = {}
    for source in sources:
        place = (source.kind, source.source_id, source.start)
        known = copies.get(place)
        if known is not None:
            known.end = max(known.end, source.end)
            continue
        # A speaker is sealed for one row, so it is opened here and sealed anew.
        copies[place] = MemorySource(node_id=node, **{name: getattr(source, name) for name in OF_SOURCE})
    return list(copies.values())


def _describe(edges: Mapping[UUID, Sequence[MemoryEdge]], nodes: Iterable[UUID]) -> list[dict[str, object]]:
    """Return the edges of some memories as they are kept for undoing, each once."""
    found = {edge.pk: edge for node in nodes for edge in edges.get(node, ())}
    return [
        {
            "id": str(edge.pk),
            "source": str(edge.source_id),
            "target": str(edge.target_id),
            "type": edge.type,
            "weight": edge.weight,
            "formed_at": edge.formed_at.isoformat(),
        }
        for edge in found.values()
    ]


def _by_end(edges: Iterable[MemoryEdge]) -> dict[UUID, list[MemoryEdge]]:
    found: dict[UUID, list[MemoryEdge]] = defaultdict(list)
    for edge in edges:
        found[edge.source_id].append(edge)
        found[edge.target_id].append(edge)
    return found
