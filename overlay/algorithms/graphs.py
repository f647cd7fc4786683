"""What a directed graph of concepts is checked and measured for. Pure functions of arrays."""

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

IntArray = NDArray[np.int64]


def find_cycles(count: int, sources: IntArray, targets: IntArray) -> list[list[int]]:
    """Return one cycle of each part of the graph that has any, by the nodes it passes through.

    Args:
        count: number of nodes, n.
        sources: (m,) int64 in [0, n), where each edge begins.
        targets: (m,) int64 in [0, n), where it ends.

    Returns:
        For each strongly connected component of more than one node a shortest cycle through its lowest node, which
        stands first. In the order of those nodes. An edge from a node to itself is no cycle here.
    """
    if not len(sources):
        return []
    from scipy.sparse.csgraph import connected_components  # loaded where a world is read, not at every start

    graph = _adjacency(count, sources, targets)
    _, labels = connected_components(graph, directed=True, connection="strong")
    sizes = np.bincount(labels)
    entangled = np.flatnonzero(sizes[labels] > 1)
    _, first = np.unique(labels[entangled], return_index=True)
    return [_shortest_cycle(graph, labels, int(node)) for node in np.sort(entangled[first])]


def measure_depths(count: int, sources: IntArray, targets: IntArray) -> IntArray:
    """Return how many steps each node stands above what it builds on, by the longest way.

    Args:
        count: number of nodes, n.
        sources: (m,) int64, the node that requires.
        targets: (m,) int64, what it requires.

    Returns:
        (n,) int64; 0 for nodes that require nothing, and for nodes on a cycle or above one.
    """
    above = _adjacency(count, targets, sources)
    missing = np.bincount(above.indices, minlength=count)
    ready = deque(int(node) for node in np.flatnonzero(missing == 0))
    depths = np.zeros(count, dtype=np.int64)
    settled = np.zeros(count, dtype=bool)
    while ready:
        node = ready.popleft()
        settled[node] = True
        for other in above.indices[above.indptr[node] : above.indptr[node + 1]]:
            depths[other] = max(depths[other], depths[node] + 1)
            missing[other] -= 1
            if missing[other] == 0:
                ready.append(int(other))
    depths[~settled] = 0
    return depths


def _adjacency(count: int, sources: IntArray, targets: IntArray) -> "csr_array":
    """Return the graph as a matrix, each edge once and none from a node to itself."""
    from scipy.sparse import csr_array

    kept = sources != targets
    pairs = np.unique(np.stack([sources[kept], targets[kept]], axis=1), axis=0)
    ones = np.ones(len(pairs), dtype=np.int8)
    return csr_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(count, count))


def _shortest_cycle(graph: "csr_array", labels: NDArray[np.int32], start: int) -> list[int]:
    """Return the nodes of a shortest way from `start` back to it, inside its component, by breadth-first search."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in map(int, graph.indices[graph.indptr[node] : graph.indptr[node + 1]]):
            if other == start:
                return _way_to(node, start, came_from)
            if labels[other] == labels[start] and other not in came_from:
                came_from[other] = node
                waiting.append(other)
    raise ValueError("no cycle through this node")


def _way_to(node: int, start: int, came_from: dict[int, int]) -> list[int]:
    way = [node]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
