"""What a directed graph of concepts is checked and measured for. Pure functions of arrays."""

from contextlib import suppress
from graphlib import CycleError, TopologicalSorter

import numpy as np
from numpy.typing import NDArray

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
    # loaded where a world is read, not at every start
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    pairs = np.unique(np.stack([sources, targets], axis=1)[sources != targets], axis=0)
    graph = csr_array((np.ones(len(pairs), dtype=np.int8), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    _, labels = connected_components(graph, directed=True, connection="strong")
    entangled = np.flatnonzero(np.bincount(labels)[labels] > 1)
    _, first = np.unique(labels[entangled], return_index=True)
    cycles = []
    for start in np.sort(entangled[first]).tolist():
        order, came_from = breadth_first_order(graph, start)
        # Breadth comes first: the earliest node that leads back is the end of a shortest way.
        leads_back = set(pairs[pairs[:, 1] == start, 0].tolist())
        way = [next(node for node in order.tolist() if node in leads_back)]
        while way[-1] != start:
            way.append(int(came_from[way[-1]]))
        cycles.append(way[::-1])
    return cycles


def measure_depths(count: int, sources: IntArray, targets: IntArray) -> IntArray:
    """Return how many steps each node stands above what it builds on, by the longest way.

    Args:
        count: number of nodes, n.
        sources: (m,) int64, the node that requires.
        targets: (m,) int64, what it requires.

    Returns:
        (n,) int64; 0 for nodes that require nothing, and for nodes on a cycle or above one.
    """
    sorter = TopologicalSorter[int]()
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        if source != target:
            sorter.add(source, target)
    with suppress(CycleError):  # what is on no cycle is sorted nevertheless
        sorter.prepare()
    depths = np.zeros(count, dtype=np.int64)
    depth = 0
    while ready := sorter.get_ready():
        depths[list(ready)] = depth
        sorter.done(*ready)
        depth += 1
    return depths
