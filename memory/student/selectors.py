"""Reads that end in plain data: rows of a space become arrays and texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connections, router

from companion_site.vault.columns import opener
from companion_site.vault.models import Space
from memory.models import MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.student.entities import Known, MentionData, load_entities, load_mentions

#: What a source says of who vouches for a memory that was derived from others.
VOUCHED_BY = {
    MemorySource.Kind.MESSAGE: MemoryNode.Trust.PERSON,
    MemorySource.Kind.OBSERVATION: MemoryNode.Trust.TEACHER,
    MemorySource.Kind.LESSON: MemoryNode.Trust.SYSTEM,
    MemorySource.Kind.PROMPT_RUN: MemoryNode.Trust.SYSTEM,
    MemorySource.Kind.TRANSCRIPT: MemoryNode.Trust.SYSTEM,
}
_HELD = {"node__superseded_at__isnull": True, "node__removed_at__isnull": True}
#: columns of a node that stay as they are, and all that is read of one: an object of the model costs more
_AS_THEY_ARE = ("id", "modality", "tier", "category", "language", "salience", "gravity", "confidence", "valence", "of_danger")  # fmt: skip
OF_NODE = (*_AS_THEY_ARE, "content", "trust", "accessed_at", "expires_at", "formed_at", "superseded_at", "removed_at")  # fmt: skip
_NodeRow = Any  # a row with the names of OF_NODE
_OF_SOURCE = ("id", "node_id", "kind", "source_id", "conversation_id", "position", "said_at", "speaker")


@dataclass(frozen=True, kw_only=True)
class NodeData:
    """One memory as plain data; `text` and `vector` are None where it is no longer believed.

    A memory without a vector of the model asked for is one that has yet to be embedded anew: its words are found.

    One `of_danger` comes up by its own topic only. A merged memory has the trust of those whose words it holds; `derived` tells that it is one, or an insight of sleep.
    """

    id: UUID
    alive: bool
    text: str | None
    vector: np.ndarray | None
    modality: str
    trust: str
    derived: bool
    tier: str
    category: str
    language: str
    salience: float
    gravity: float
    confidence: float
    valence: float
    accessed_at: float
    expires_at: float
    formed_at: float
    source: "SourceData | None"
    of_danger: bool = False


@dataclass(frozen=True, kw_only=True)
class SourceData:
    """Where a memory was first heard."""

    kind: str
    source_id: UUID
    conversation: UUID | None
    position: int
    said_at: float
    speaker: str | None


@dataclass(frozen=True, kw_only=True)
class GraphChanges:
    """What changed in a space's memory since a version.

    Attributes:
        edges: source, target and weight of each.
        mounts: the packs that the space reads beside it, by their spaces; None where nobody looked.
    """

    version: int
    nodes: Sequence[NodeData]
    edges: Sequence[tuple[UUID, UUID, float]]
    mounts: Sequence[UUID] | None = None
    #: those that memories came to speak of
    entities: Sequence[Known] = ()
    mentions: Sequence[MentionData] = ()


def _version_and_mounts(space: UUID) -> tuple[int, list[UUID]]:
    """Return the version and what is mounted, which changes it, in one statement; inside the space's scope."""
    with connections[router.db_for_read(Space)].cursor() as cursor:
        cursor.execute(
            "SELECT version, ARRAY(SELECT pack_space_id FROM memory_packmount WHERE space_id = %s ORDER BY id) "
            "FROM vault_space WHERE id = %s",
            [space, space],
        )
        found = cursor.fetchone()
    if found is None:
        raise Space.DoesNotExist()
    return found[0], found[1]


def load_changes(space: UUID, *, after: int, model: str) -> GraphChanges:
    """Return the nodes and edges of `space` that changed after a version; -1 loads all that is believed now.

    Runs inside the space's scope, with the space unlocked.

    Args:
        model: the embedding model whose vectors are wanted.
    """
    version, mounts = _version_and_mounts(space)
    rows = MemoryNode.objects.for_space(space).filter(version__gt=after).order_by("id")
    if after < 0:
        rows = rows.active()
    nodes = list(rows.values_list(*OF_NODE, named=True))
    # Of all that is believed by a join: naming thousands of ids in the query would cost more.
    whose = _HELD if after < 0 else {"node_id__in": [node.id for node in nodes if _is_alive(node)]}
    vectors = load_vectors(space, model=model, **whose)
    sources = load_first_sources(space, **whose)
    edges = MemoryEdge.objects.for_space(space).filter(version__gt=after)
    mentions = load_mentions(space, version__gt=after)
    open_content = opener(space, MemoryNode, "content")
    return GraphChanges(
        version=version,
        nodes=[
            node_data(
                node,
                text=open_content(node.id, node.content) if _is_alive(node) and node.content else None,
                vector=vectors.get(node.id),
                source=sources.get(node.id),
            )
            for node in nodes
        ],
        edges=list(edges.values_list("source_id", "target_id", "weight")),
        mounts=mounts,
        mentions=mentions,
        entities=load_entities(space, pk__in={one.entity for one in mentions}) if mentions else (),
    )


def _is_alive(node: _NodeRow) -> bool:
    return node.superseded_at is None and node.removed_at is None


def node_data(
    node: _NodeRow, *, text: str | None, vector: np.ndarray | None, source: SourceData | None
) -> NodeData:
    """Return a row as plain data; without a text it is no longer believed."""
    alive = text is not None
    return NodeData(
        **{name: getattr(node, name) for name in _AS_THEY_ARE},
        alive=alive,
        text=text,
        vector=vector if alive else None,
        trust=_vouched_by(node, source),
        derived=node.trust == MemoryNode.Trust.DERIVED,
        accessed_at=node.accessed_at.timestamp(),
        expires_at=node.expires_at.timestamp() if node.expires_at is not None else float("inf"),
        formed_at=node.formed_at.timestamp(),
        source=source,
    )


def _vouched_by(node: _NodeRow, source: SourceData | None) -> str:
    if node.trust != MemoryNode.Trust.DERIVED or source is None:
        return node.trust
    return VOUCHED_BY[MemorySource.Kind(source.kind)]


def load_vectors(space: UUID, *, model: str, **whose: Any) -> dict[UUID, np.ndarray]:
    """Return the vectors of one model by memory, of those that a filter names."""
    rows = MemoryVector.objects.for_space(space).filter(model=model, **whose)
    open_vector = opener(space, MemoryVector, "vector")
    return {node: open_vector(pk, box) for pk, node, box in rows.values_list("pk", "node_id", "vector")}


def load_first_sources(space: UUID, **whose: Any) -> dict[UUID, SourceData]:
    """Return where each memory was first heard, of those that a filter names; what was put right by hand was heard nowhere."""
    rows = MemorySource.objects.for_space(space).filter(**whose)
    rows = rows.order_by("node_id", "id").distinct("node_id")
    open_speaker = opener(space, MemorySource, "speaker")
    return {
        row.node_id: SourceData(
            kind=row.kind,
            source_id=row.source_id,
            conversation=row.conversation_id,
            position=row.position,
            said_at=row.said_at.timestamp(),
            speaker=open_speaker(row.id, row.speaker) if row.speaker is not None else None,
        )
        for row in rows.values_list(*_OF_SOURCE, named=True)
    }
