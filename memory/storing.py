"""Writing thought-out memories: in one short transaction, each once, under the space's lock."""

from collections.abc import Sequence
from datetime import datetime
from unicodedata import normalize
from uuid import UUID

import numpy as np
from django.db import models

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault import key_of
from companion_site.vault.services import bump_version
from memory.formation import Draft, Said
from memory.models import MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.statements import Statement


def store_memories(space: UUID, draft: Draft, *, now: datetime) -> list[UUID]:
    """Write a draft; return the ids of the new memories. The caller holds the space's lock and transaction.

    What the space already believes word for word is not written again: it gets one more source.
    """
    hashes = [content_hash(space, statement.text) for statement in draft.statements]
    known = _known_hashes(space, hashes)
    version = bump_version(space) if any(digest not in known for digest in hashes) else 0
    ids: list[UUID | None] = []
    for statement, vector, digest in zip(draft.statements, draft.vectors, hashes, strict=True):
        if digest in known:
            _store_source(space, known[digest], draft.said, statement)
            ids.append(None)
            continue
        known[digest] = _store_one(space, draft, statement, vector, digest, version=version, now=now)
        ids.append(known[digest])
    _store_edges(space, draft, ids, version=version, now=now)
    formed = [node_id for node_id in ids if node_id is not None]
    if formed:
        record_event("memory.formed", chain=space, data={"count": len(formed)}, now=now)
    return formed


def content_hash(space: UUID, text: str) -> bytes:
    """Return the keyed hash by which the same words are recognised, however they were cased and spaced."""
    plain = " ".join(normalize("NFKC", text).casefold().split()).strip(" .!…")
    return key_of(space).keyed_hash(plain)


def _known_hashes(space: UUID, hashes: Sequence[bytes]) -> dict[bytes, UUID]:
    """Return the memory of each hash that the space believes."""
    rows = MemoryNode.objects.for_space(space).active().filter(content_hash__in=hashes)
    return {bytes(digest): node for digest, node in rows.values_list("content_hash", "pk")}


def _store_one(
    space: UUID,
    draft: Draft,
    statement: Statement,
    vector: np.ndarray,
    digest: bytes,
    *,
    version: int,
    now: datetime,
) -> UUID:
    said = draft.said
    node = MemoryNode.objects.create(
        id=new_id(),
        space_id=space,
        content=statement.text,
        content_hash=digest,
        modality=statement.modality,
        trust=said.trust,
        language=said.language,
        salience=statement.salience,
        gravity=statement.salience,
        confidence=statement.confidence,
        valence=statement.valence,
        formed_at=now,
        accessed_at=said.said_at,
        version=version,
    )
    _store_source(space, node.pk, said, statement)
    MemoryVector.objects.create(
        space_id=space, node=node, model=draft.model, dimension=len(vector), vector=vector
    )
    return node.pk


def _store_source(space: UUID, node: UUID, said: Said, statement: Statement) -> None:
    """Note that a memory was said here; the same place is noted once."""
    rows = MemorySource.objects.for_space(space)
    if rows.filter(
        node_id=node, kind=said.source_kind, source_id=said.source_id, start=statement.start
    ).exists():
        return
    MemorySource.objects.create(
        space_id=space,
        node_id=node,
        kind=said.source_kind,
        source_id=said.source_id,
        conversation_id=said.conversation_id,
        position=said.position,
        start=statement.start,
        end=statement.end,
        said_at=said.said_at,
        speaker=said.speaker,
    )


def _store_edges(
    space: UUID, draft: Draft, ids: Sequence[UUID | None], *, version: int, now: datetime
) -> None:
    wanted = [(ids[edge.source], ids[edge.target], edge.kind, edge.weight) for edge in draft.edges]
    wanted += [(ids[source], target, kind, weight) for source, target, kind, weight in draft.neighbour_edges]
    believed = set(
        MemoryNode.objects.for_space(space)
        .active()
        .filter(pk__in=[target for _, target, _, _ in wanted if target])
        .values_list("pk", flat=True)
    )
    rows = {
        (source, target, kind): MemoryEdge(
            space_id=space,
            source_id=source,
            target_id=target,
            type=kind,
            weight=weight,
            formed_at=now,
            version=version,
        )
        for source, target, kind, weight in wanted
        if source and target and target in believed and source != target
    }
    MemoryEdge.objects.bulk_create(rows.values(), ignore_conflicts=True)
    _refresh_strength(space, {node for row in rows.values() for node in (row.source_id, row.target_id)})


def _refresh_strength(space: UUID, nodes: set[UUID]) -> None:
    """Set each node's strength to its summed edge weight w, normalised as w / (1 + w)."""
    touching = models.Q(source_id__in=nodes) | models.Q(target_id__in=nodes)
    weights = dict.fromkeys(nodes, 0.0)
    edges = (
        MemoryEdge.objects.for_space(space).filter(touching).values_list("source_id", "target_id", "weight")
    )
    for source, target, weight in edges:
        for node in (source, target):
            if node in weights:
                weights[node] += weight
    for node, weight in weights.items():
        MemoryNode.objects.for_space(space).filter(pk=node).update(strength=weight / (1 + weight))
