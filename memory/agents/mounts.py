"""What mounted packs lend to an agent: the one door to `memory.packs`, by pack and position.

A pack belongs to nobody who reads it: it is asked inside its own space, and nothing of it is written. How its nodes hang
together is held as arrays by this process, for packs never change; words and vectors stay in the database, which has an index
for each.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db.models import Max
from scipy.sparse import csr_array

from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from memory.agents.question import Question
from memory.agents.workingset import TYPE_CODE, TYPES, AgentWorkingSet
from memory.algorithms.activation import bloom, edges_from
from memory.models import Pack, PackEdge, PackNode
from memory.packs import search
from memory.packs.cache import PackWire
from memory.packs.contents import read_nodes
from memory.packs.mounts import readable

#: bytes of one node: its path twice, its numbers
NODE_BYTES = 300
LINK_BYTES = 8
#: With tags asked for, so many times as many are looked at: a pack is searched by types only.
TAGGED_SHARE = 4
#: where a node of a pack is: the pack's space, and its position there
LentNode = tuple[UUID, int]


@dataclass(frozen=True)
class PackGraph:
    """A pack of n nodes by position.

    Attributes:
        paths: n; position_of: the place of each.
        types: (n,) codes; tags: (n,) places in `tag_sets`.
        adjacency: (n, n) float32, the heaviest of several links, the way the pack says.
    """

    paths: Sequence[str]
    position_of: Mapping[str, int]
    types: np.ndarray
    tags: np.ndarray
    tag_sets: Sequence[frozenset[str]]
    adjacency: csr_array
    size_bytes: int

    def edges_among(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the edges that lead from one of the nodes at `positions` to another: source, target, weight.

        Args:
            positions: (m,) rising.

        Returns:
            (e,) each, by source and target, which are places in `positions`.
        """
        source, target, weight = edges_from(self.adjacency, positions)
        place = np.minimum(np.searchsorted(positions, target), len(positions) - 1)
        among = positions[place] == target
        return np.searchsorted(positions, source[among]), place[among], weight[among]


class _Place:
    """Where one pack's graph is, loaded once however many ask for it."""

    def __init__(self, pack: UUID) -> None:
        self._pack, self._lock = pack, Lock()
        self._graph: PackGraph | None = None
        self.size_bytes = 0

    def graph(self) -> PackGraph:
        with self._lock:
            if self._graph is None:
                self._graph = load_graph(self._pack)
                self.size_bytes = self._graph.size_bytes
            return self._graph


_places: HeldBySpace[_Place] = HeldBySpace(
    budget_bytes=settings.WORKING_SET_MB * 2**20, idle_s=settings.SESSION_IDLE_MINUTES * 60, of_people=False
)


def graph_of(pack: UUID) -> PackGraph:
    """Return the graph of a pack that is ready; the first to ask in this process waits until it is loaded."""
    place = _places.take(pack, lambda: _Place(pack))
    graph = place.graph()
    _places.trim()
    return graph


def load_graph(pack: UUID) -> PackGraph:
    """Return the graph of a pack from its rows."""
    with space_scope(pack, reading=True):
        rows = PackNode.objects.for_space(pack).order_by("position")
        nodes = list(rows.values_list("path", "type", "tags"))
        ends, weights = _links(pack)
    numbers: dict[frozenset[str], int] = {}
    tags = [numbers.setdefault(frozenset(own), len(numbers)) for _, _, own in nodes]
    paths = [path for path, _, _ in nodes]
    return PackGraph(
        paths=paths,
        position_of={path: at for at, path in enumerate(paths)},
        types=np.array([TYPE_CODE[kind] for _, kind, _ in nodes], dtype=np.int8),
        tags=np.array(tags, dtype=np.int32),
        tag_sets=list(numbers),
        adjacency=csr_array((weights, (ends[:, 0], ends[:, 1])), shape=(len(nodes), len(nodes))),
        size_bytes=NODE_BYTES * len(nodes) + LINK_BYTES * len(weights),
    )


def _links(pack: UUID) -> tuple[np.ndarray, np.ndarray]:
    """Return (m, 2) positions of the ends, and (m,) float32 weights, of several links between two nodes the heaviest."""
    rows = PackEdge.objects.for_space(pack).order_by().values_list("source__position", "target__position")
    found = np.array(list(rows.annotate(Max("weight"))), dtype=np.float64).reshape(-1, 3)
    return found[:, :2].astype(np.int32), found[:, 2].astype(np.float32)


@dataclass(frozen=True)
class MountedPack:
    """A pack that an agent reads: ready, and the agent's to read when it was asked for."""

    row: Pack

    @property
    def space(self) -> UUID:
        return self.row.space_id

    @property
    def key(self) -> str:
        return self.row.key


@dataclass(frozen=True)
class LentHit:
    """One node of a pack, by its path there, and what a question has in common with it.

    Attributes:
        lexical: BM25 over the logarithm of the pack's size, which makes those of small and large packs comparable.
    """

    at: LentNode
    path: str
    cosine: float
    lexical: float


@dataclass(frozen=True)
class LentShape:
    """What activation reads of a pack's node."""

    path: str
    type: str
    tags: frozenset[str]
    cosine: float


def mounted_packs(held: AgentWorkingSet) -> list[MountedPack]:
    """Return the packs that an agent reads, in a fixed order; whether it still may is asked each time."""
    if not held.packs:
        return []
    packs = [MountedPack(pack) for pack in readable(held.space, held.packs)]
    return sorted(packs, key=lambda pack: (pack.key, pack.space))


def search_lent(
    packs: Sequence[MountedPack],
    question: Question,
    *,
    k: int,
    types: Collection[str] = (),
    tags: Collection[str] = (),
) -> list[LentHit]:
    """Return the nodes of each pack that answer a question best, pack by pack in their order."""
    hits = []
    for pack in packs:
        found = search.search_ready(
            [pack.row],
            vector=question.vector,
            model=question.model,
            words=question.terms,
            k=k * TAGGED_SHARE if tags else k,
            types=sorted(types) or None,
        )
        scale = np.log1p(pack.row.node_count) or 1.0
        hits += [
            LentHit((hit.pack, hit.position), hit.path, float(hit.cosine), float(hit.lexical / scale))
            for hit in found
        ]
    if tags:
        hits = [hit for hit in hits if not _tags_of(hit.at).isdisjoint(tags)]
    return hits


def default_nodes(packs: Sequence[MountedPack], tags: Collection[str]) -> list[LentNode]:
    """Return the nodes of the packs that stand for the domains that `tags` name."""
    return [
        (pack.space, position)
        for pack in (packs if tags else ())
        for position in search.defaults(pack.space, sorted(tags))
    ]


def reach_lent(
    starts: Collection[LentNode], *, hops: int, max_per_node: int, min_weight: float, most: int
) -> dict[UUID, np.ndarray]:
    """Return what nodes of packs lead to, themselves included: by pack its positions, rising; of all packs `most`.

    Those with the heaviest edge to them stay; of equal weight those of the pack, and at the position, that comes first.
    """
    grouped = _by_pack(starts)
    spaces = sorted(grouped)
    reached = [
        bloom(
            graph_of(space).adjacency,
            grouped[space],
            hops=hops,
            max_per_node=max_per_node,
            min_weight=min_weight,
        )
        for space in spaces
    ]
    if not reached:
        return {}
    rows = np.concatenate([one.rows for one in reached])
    edge = np.concatenate([one.edge for one in reached])
    place = np.repeat(np.arange(len(spaces)), [len(one) for one in reached])
    kept = np.sort(np.lexsort((rows, place, -edge))[:most])
    return {space: found for at, space in enumerate(spaces) if len(found := rows[kept[place[kept] == at]])}


def shapes_of(space: UUID, positions: np.ndarray, question: Question) -> list[LentShape]:
    """Return what activation reads of nodes of a pack, in the order of their positions."""
    graph, at = graph_of(space), positions.tolist()
    cosines = search.cosines(space, at, question.vector, model=question.model).tolist()
    types, tags = graph.types[positions].tolist(), graph.tags[positions].tolist()
    return [
        LentShape(graph.paths[one], TYPES[kind], graph.tag_sets[own], cosine)
        for one, kind, own, cosine in zip(at, types, tags, cosines, strict=True)
    ]


def load_lent(nodes: Collection[LentNode]) -> dict[LentNode, dict[str, Any]]:
    """Return nodes of packs in wire form; one that is not there any more is left out."""
    return {node: dict(found.node) for node, found in load_told(nodes).items()}


def load_told(nodes: Collection[LentNode]) -> dict[LentNode, PackWire]:
    """Return nodes of packs in wire form, which is not to be changed, with what they say in a context."""
    return {
        (pack, position): found
        for pack, positions in _by_pack(nodes).items()
        for position, found in read_nodes(pack, positions).items()
    }


def nodes_of_paths(packs: Sequence[MountedPack], paths: Collection[str]) -> dict[str, LentNode]:
    """Return where the packs have nodes of these paths; where several have one, the first in their order."""
    found: dict[str, LentNode] = {}
    for pack in reversed(packs if paths else ()):
        place = graph_of(pack.space).position_of
        found |= {path: (pack.space, place[path]) for path in paths if path in place}
    return found


def _tags_of(node: LentNode) -> frozenset[str]:
    graph = graph_of(node[0])
    return graph.tag_sets[graph.tags[node[1]]]


def _by_pack(nodes: Iterable[LentNode]) -> dict[UUID, list[int]]:
    grouped: dict[UUID, list[int]] = defaultdict(list)
    for pack, position in dict.fromkeys(nodes):
        grouped[pack].append(position)
    return dict(grouped)
