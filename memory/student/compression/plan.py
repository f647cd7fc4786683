"""From a snapshot to what will be written: which memories go, and what each cluster becomes. No database."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.adjacency import ALIKE
from memory.algorithms.compression import Compressed, compress_graph
from memory.algorithms.difference import differ_in_value, plain
from memory.algorithms.merge import write_out
from memory.student.compression.replacement import Successor, make_successor
from memory.student.compression.selectors import MODALITIES, Snapshot, as_graph

_WORD = re.compile(r"[^\W_]+")
#: Of two statements of one message, those that share less of the shorter one's words speak of different things.
SHARED = 1 / 3
Tell = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a compression will do.

    Attributes:
        new_edges: (source, target, type, weight) of the merged nodes.
        counts: of active nodes, edges and gravity, before and after.
    """

    pruned: Sequence[int]
    merges: Sequence[Successor]
    new_edges: Sequence[tuple[UUID, UUID, str, float]]
    cycles: int
    before: dict[str, float]
    after: dict[str, float]
    loss: dict[str, object]


def may_merge(text: str, other: str, together: bool) -> bool:
    """Tell whether no value differs between two statements."""
    if plain(text) == plain(other):
        return True
    words, others = _words(text), _words(other)
    shared, shorter = len(words & others), min(len(words), len(others))
    # One is the other with some words exchanged where half of the shorter one's words stand in both.
    differ = differ_in_value(text, other) or differ_in_value(other, text)
    is_exchanged = 2 * shared >= shorter and differ
    return together and (shared < SHARED * shorter or not is_exchanged)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def think_out(
    space: UUID,
    snapshot: Snapshot,
    *,
    embedder: Embedder,
    tell: Tell,
    max_nodes: int,
) -> Plan:
    """Return what to write. The space is unlocked: what merged nodes say is known again by its keyed hash.

    A cluster that would say word for word what another memory says stays as it is.
    """
    alone: frozenset[int] = frozenset()
    while True:
        done = compress_graph(
            as_graph(snapshot, embedder=embedder, alone=alone),
            may_merge=may_merge,
            modalities=len(MODALITIES),
            max_nodes=max_nodes,
            tell=tell,
        )
        merges = _merges(space, snapshot, done)
        said_twice = _said_twice(snapshot, merges)
        if not said_twice:
            return _plan(snapshot, done, merges)
        alone |= said_twice


def _merges(space: UUID, snapshot: Snapshot, done: Compressed) -> dict[int, Successor]:
    """Return what clusters become, by their row in the compressed graph."""
    said_at = [source[0].said_at.timestamp() if source else 0.0 for source in snapshot.sources]
    merges = {}
    for row, members in done.merged.items():
        rows = sorted(members, key=lambda member: (said_at[member], member))
        merges[row] = _successor(space, snapshot, rows, text=write_out(done.graph.texts[row]))
    return merges


def _successor(space: UUID, snapshot: Snapshot, rows: Sequence[int], *, text: str) -> Successor:
    members = [snapshot.nodes[row] for row in rows]
    first = members[0]
    slept = [member.slept_over_at for member in members if member.slept_over_at is not None]
    return make_successor(
        space,
        members,
        text,
        gravity=[snapshot.gravity[row] for row in rows],
        sources=[snapshot.sources[row] for row in rows],
        vector=mean_vector(snapshot.vectors[rows]),
        tier=first.tier,
        category=first.category,
        language=first.language,
        confidence=min(member.confidence for member in members),
        expires_at=first.expires_at,
        slept_over_at=min(slept) if len(slept) == len(members) else None,
    )


def mean_vector(vectors: np.ndarray) -> np.ndarray:
    """Return (d,) the mean direction of (n, d) vectors, at unit length; that of the first where they cancel out.

    It finds as well as the embedding of the joined text does, and costs nothing.
    """
    mean = vectors.sum(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length > 1e-6 else vectors[0]


def _said_twice(snapshot: Snapshot, merges: dict[int, Successor]) -> frozenset[int]:
    """Return the members of merges that say what another believed memory says."""
    merging = {member for merge in merges.values() for member in merge.members}
    known = {
        bytes(node.content_hash)
        for node in snapshot.nodes
        if node.pk not in merging and node.superseded_at is None
    }
    found: set[int] = set()
    for merge in merges.values():
        digest = bytes(merge.node.content_hash)
        if digest in known:
            found.update(snapshot.row_of[member] for member in merge.members)
        known.add(digest)
    return frozenset(found)


def _plan(snapshot: Snapshot, done: Compressed, merges: dict[int, Successor]) -> Plan:
    edges = done.graph.edges
    ids = [
        merges[row].node.pk if row in merges else snapshot.nodes[members[0]].pk
        for row, members in enumerate(done.graph.members)
    ]
    stored = edges.take(edges.kind != ALIKE) if len(edges) else edges
    new_edges = [
        (ids[source], ids[target], kind, weight)
        for source, target, kind, weight in zip(
            stored.source.tolist(),
            stored.target.tolist(),
            stored.kind.tolist(),
            stored.weight.tolist(),
            strict=True,
        )
        if source in merges or target in merges
    ]
    believed = np.array([node.superseded_at is None for node in snapshot.nodes], bool)
    return Plan(
        pruned=done.pruned,
        merges=list(merges.values()),
        new_edges=new_edges,
        cycles=done.cycles,
        before=_counts(snapshot.gravity[believed], len(snapshot.edges)),
        after=_counts(done.graph.gravity[done.graph.active], len(stored)),
        loss=_loss(done),
    )


def _counts(gravity: np.ndarray, edges: int) -> dict[str, float]:
    return {"nodes": len(gravity), "edges": edges, "gravity": round(float(gravity.sum()), 6)}


def _loss(done: Compressed) -> dict[str, object]:
    total = done.pruning_loss + done.merging_loss
    return {
        "bits": _by_modality(total),
        "pruned": {"nodes": len(done.pruned), "bits": _by_modality(done.pruning_loss)},
        "merged": {
            "nodes": sum(len(members) for members in done.merged.values()),
            "into": len(done.merged),
            "bits": _by_modality(done.merging_loss),
        },
        "entropy": {"before": round(done.entropy[0], 6), "after": round(done.entropy[1], 6)},
    }


def _by_modality(bits: np.ndarray) -> dict[str, float]:
    return {name: round(float(value), 6) for name, value in zip(MODALITIES, bits, strict=True)}
