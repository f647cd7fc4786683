"""What compression reads: a space's memory as a graph, with the rows behind it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.services import space_version
from memory.algorithms.adjacency import ALIKE, find_alike
from memory.algorithms.graphs import ALONE, Edges, Graph
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.student.params import COMPRESSION
from memory.student.selectors import VOUCHED_BY, load_vectors
from memory.student.store import KEPT, find_untouchable, gravity_at

MODALITIES = tuple(MemoryNode.Modality.values)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A space's memory as of one version. Row i of the graph is `nodes[i]`.

    Attributes:
        vectors: (n, d), zeros where a node has none under this model.
        sources: of each node, the first said first.
        edges: the stored rows, in the order of the graph's edges.
        untouchable: memories that neither merge nor go.
    """

    version: int
    model: str
    now: datetime
    nodes: Sequence[MemoryNode]
    vectors: np.ndarray
    sources: Sequence[Sequence[MemorySource]]
    edges: Sequence[MemoryEdge]
    untouchable: frozenset[UUID]

    @cached_property
    def row_of(self) -> dict[UUID, int]:
        return {node.pk: row for row, node in enumerate(self.nodes)}

    @cached_property
    def gravity(self) -> np.ndarray:
        """(n,) as it is now."""
        stored = ((node.gravity, node.salience, node.accessed_at) for node in self.nodes)
        return gravity_at(stored, now=self.now)


def read_snapshot(space: UUID, *, model: str, now: datetime) -> Snapshot:
    """Read all of a space's memory that is not removed, history included.

    Runs inside the space's scope, with the space unlocked. The version is read first: what is written meanwhile makes
    the snapshot look older than it is, never newer.
    """
    version = space_version(space)
    nodes = list(MemoryNode.objects.for_space(space).filter(removed_at__isnull=True).order_by("id"))
    sources = read_sources(space)
    held = {node.pk for node in nodes}
    edges = MemoryEdge.objects.for_space(space).order_by("id")
    return Snapshot(
        version=version,
        model=model,
        now=now,
        nodes=nodes,
        vectors=_read_vectors(space, nodes, model=model),
        sources=[sources[node.pk] for node in nodes],
        edges=[edge for edge in edges if edge.source_id in held and edge.target_id in held],
        untouchable=find_untouchable(space, now=now),
    )


def as_graph(
    snapshot: Snapshot,
    *,
    embedder: Embedder,
    alone: frozenset[int] = frozenset(),
) -> Graph:
    """Return the graph to compress.

    Args:
        alone: rows that stay as they are, besides those the rules name.
    """
    nodes = snapshot.nodes
    prunable, droppable = _who_may_go(snapshot)
    return Graph(
        gravity=snapshot.gravity,
        modality=np.array([MODALITIES.index(node.modality) for node in nodes], np.int64),
        group=_groups(snapshot, alone),
        active=np.array([node.superseded_at is None for node in nodes], bool),
        prunable=prunable,
        droppable=droppable,
        said_at=np.array(
            [_said_at(node, sources) for node, sources in zip(nodes, snapshot.sources, strict=True)]
        ),
        texts=tuple(map(_statements, nodes)),
        sources=_numbered_sources(snapshot),
        members=tuple((row,) for row in range(len(nodes))),
        edges=_edges(snapshot, embedder),
    )


def _statements(node: MemoryNode) -> tuple[str, ...]:
    """Return what a node says, statement by statement; only a derived one holds several, one a line."""
    if node.content is None:
        return ()
    return tuple(node.content.split("\n")) if node.trust == MemoryNode.Trust.DERIVED else (node.content,)


def _who_may_go(snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) who may be pruned below the noise floor and (n,) who may go where there are too many.

    Who the person is, sleep's `background`, never goes.
    """
    settled = snapshot.now - KEPT
    prunable, droppable = [], []
    for node in snapshot.nodes:
        covered = node.slept_over_at is not None and node.pk not in snapshot.untouchable
        short = node.tier == MemoryNode.Tier.SHORT_TERM
        old_enough = node.superseded_at is None or node.superseded_at <= settled
        prunable.append(covered and short and old_enough)
        basic = node.category == MemoryNode.Category.BACKGROUND
        droppable.append(covered and not short and not basic and node.superseded_at is None)
    return np.array(prunable, bool), np.array(droppable, bool)


def _groups(snapshot: Snapshot, alone: frozenset[int]) -> np.ndarray:
    """Return (n,) a number for those that may become one: of one tier, speaker, language, and vouched for alike."""
    numbers: dict[tuple, int] = {}
    groups = np.full(len(snapshot.nodes), ALONE, np.int64)
    for row, node in enumerate(snapshot.nodes):
        stays = row in alone or node.superseded_at is not None or node.pk in snapshot.untouchable
        vouched = vouched_by(node, snapshot.sources[row])
        if stays or vouched is None or node.content is None or not snapshot.vectors[row].any():
            continue
        speaker = snapshot.sources[row][0].speaker if snapshot.sources[row] else None
        key = (node.tier, vouched, speaker, node.language, node.category, node.expires_at)
        groups[row] = numbers.setdefault(key, len(numbers))
    return groups


def vouched_by(node: MemoryNode, sources: Sequence[MemorySource]) -> str | None:
    """Return who vouches for a memory; None where nobody alone does."""
    if node.trust != MemoryNode.Trust.DERIVED:
        return node.trust
    found = {VOUCHED_BY[MemorySource.Kind(source.kind)] for source in sources}
    return found.pop() if len(found) == 1 else None


def _said_at(node: MemoryNode, sources: Sequence[MemorySource]) -> float:
    """Return when a memory was first said, in seconds; within one message the later words count as later."""
    if not sources:
        return node.formed_at.timestamp()
    return sources[0].said_at.timestamp() + sources[0].start * 1e-5


def _numbered_sources(snapshot: Snapshot) -> tuple[frozenset[int], ...]:
    numbers: dict[tuple[str, UUID], int] = {}
    return tuple(
        frozenset(numbers.setdefault((source.kind, source.source_id), len(numbers)) for source in sources)
        for sources in snapshot.sources
    )


def _edges(snapshot: Snapshot, embedder: Embedder) -> Edges:
    """Return the stored edges, then those between nodes that are alike by their vectors."""
    row_of = snapshot.row_of
    stored = [
        (row_of[edge.source_id], row_of[edge.target_id], edge.type, edge.weight) for edge in snapshot.edges
    ]
    rows, columns, cosines = find_alike(
        snapshot.vectors,
        least_cosine=float(embedder.calibration.cosine(COMPRESSION.alike)),
        nearest=COMPRESSION.nearest,
    )
    weights = np.clip(embedder.calibration.similarity(cosines), 0.0, 1.0)
    alike = zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True)
    return Edges.of([*stored, *((row, column, ALIKE, weight) for row, column, weight in alike)])


def _read_vectors(space: UUID, nodes: Sequence[MemoryNode], *, model: str) -> np.ndarray:
    held = load_vectors(space, model=model)
    dimension = len(next(iter(held.values()))) if held else 0
    nothing = np.zeros(dimension, np.float32)
    vectors = [held.get(node.pk, nothing) for node in nodes]
    return np.array(vectors, np.float32).reshape(len(nodes), dimension)


def read_sources(space: UUID, nodes: Collection[UUID] | None = None) -> dict[UUID, list[MemorySource]]:
    """Return the sources of each memory, of all where none are named, the first said first."""
    sources: dict[UUID, list[MemorySource]] = defaultdict(list)
    rows = MemorySource.objects.for_space(space)
    if nodes is not None:
        rows = rows.filter(node_id__in=nodes)
    for row in rows.order_by("said_at", "start", "id"):
        sources[row.node_id].append(row)
    return sources
