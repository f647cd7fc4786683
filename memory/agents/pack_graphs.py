"""How the nodes of a pack hang together, as arrays held by this process: packs never change, and belong to no one reader.

Paths, types, tags and links are held; words and vectors stay in the database, which has an index for each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db.models import Max
from scipy.sparse import csr_array

from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from memory.agents.workingset import TYPE_CODE
from memory.algorithms.activation import edges_from
from memory.models import PackEdge, PackNode

#: bytes of one node: its path twice, its numbers
NODE_BYTES = 300
LINK_BYTES = 8


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
