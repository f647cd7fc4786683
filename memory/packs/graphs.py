"""How the nodes of a pack hang together, as arrays; its words and vectors stay in the database, which has an index for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db.models import Max
from scipy.sparse import csr_array

from companion_site.vault.scope import space_scope
from memory.algorithms.activation import TYPE_CODE, edges_from
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

    @property
    def size_bytes(self) -> int:
        return NODE_BYTES * len(self.paths) + LINK_BYTES * int(self.adjacency.nnz)

    def tags_at(self, position: int) -> frozenset[str]:
        return self.tag_sets[self.tags[position]]

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


def load_graph(pack: UUID) -> PackGraph:
    """Return the graph of a pack from its rows."""
    with space_scope(pack, reading=True):
        rows = PackNode.objects.for_space(pack).order_by("position")
        nodes = list(rows.values_list("path", "type", "tags"))
        edges = PackEdge.objects.for_space(pack).order_by()
        links = edges.values_list("source__position", "target__position").annotate(Max("weight"))
        found = np.array(list(links), dtype=np.float64).reshape(-1, 3)
    numbers: dict[frozenset[str], int] = {}
    tags = [numbers.setdefault(frozenset(own), len(numbers)) for _, _, own in nodes]
    paths = [path for path, _, _ in nodes]
    source, target = found[:, :2].astype(np.int32).T
    weights = found[:, 2].astype(np.float32)
    return PackGraph(
        paths=paths,
        position_of={path: at for at, path in enumerate(paths)},
        types=np.array([TYPE_CODE[kind] for _, kind, _ in nodes], dtype=np.int8),
        tags=np.array(tags, dtype=np.int32),
        tag_sets=list(numbers),
        adjacency=csr_array((weights, (source, target)), shape=(len(nodes), len(nodes))),
    )
