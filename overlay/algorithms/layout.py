"""Where the concepts of a world stand on the map. Pure functions of arrays: the same world, the same map."""

from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: Passes in which each node moves to the middle of its neighbours; orders of up to 20,000 nodes settle in fewer.
SWEEPS = 12
#: A map is about this much wider than high in nodes, since a name is wider than high.
BREADTH = 1.3
NARROWEST = 5


def lay_out(depths: IntArray, sources: IntArray, targets: IntArray) -> FloatArray:
    """Return a place for every concept: what requires nothing on top, what builds on it below.

    A layered drawing: nodes of one depth share a layer, are ordered in it by the mean place of their neighbours (the
    barycentre method), and a layer too broad for the map goes on in further rows. Rows are shifted by turns, so that
    names in neighbouring rows have room.

    Args:
        depths: (n,) int64, the layer of each node.
        sources: (m,) int64, where each edge begins.
        targets: (m,) int64, where it ends.

    Returns:
        (n, 2) float64: column, centred on 0, and row, from 0 down. One cell of the grid is 1 by 1.

    Source: Sugiyama, Tagawa and Toda 1981, "Methods for Visual Understanding of Hierarchical System Structures".
    """
    count = len(depths)
    if not count:
        return np.zeros((0, 2))
    rank = _order_in_layers(depths, sources, targets)
    breadth = max(NARROWEST, ceil(BREADTH * sqrt(count)))
    positions = np.zeros((count, 2))
    top = 0
    for depth in np.unique(depths):
        nodes = np.flatnonzero(depths == depth)
        rows = ceil(len(nodes) / breadth)
        columns = ceil(len(nodes) / rows)
        # Down first and then across: neighbours in the order stay neighbours on the map.
        row, column = rank[nodes] % rows, rank[nodes] // rows
        shift = ((top + row) % 2) * 0.5 - 0.25
        positions[nodes] = np.stack([column - (columns - 1) / 2 + shift, top + row], axis=1)
        top += rows
    return positions


def _order_in_layers(depths: IntArray, sources: IntArray, targets: IntArray) -> IntArray:
    """Return (n,) each node's place in its layer, from 0, so that neighbours in other layers stand close; ties keep the nodes' order."""
    both = (np.concatenate([sources, targets]), np.concatenate([targets, sources]))
    graph = csr_array((np.ones(2 * len(sources)), both), shape=(len(depths), len(depths)))
    degree = np.asarray(graph.sum(axis=1)).ravel()
    lone = degree == 0
    sizes = np.bincount(depths)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    # What hangs together begins side by side; then the layers move by turns, for those that move at once swing.
    _, parts = connected_components(graph, directed=False)
    rank = _rank(depths, parts.astype(np.float64), starts)
    for sweep in range(SWEEPS):
        place = rank - (sizes[depths] - 1) / 2
        moves = (depths % 2 == sweep % 2) & ~lone
        middle = (graph @ place) / np.where(lone, 1.0, degree)
        rank = _rank(depths, np.where(moves, middle, place), starts)
    return rank


def _rank(depths: IntArray, places: FloatArray, starts: IntArray) -> IntArray:
    order = np.lexsort((np.arange(len(depths)), np.round(places, 9), depths))
    rank = np.empty(len(depths), dtype=np.int64)
    rank[order] = np.arange(len(depths)) - starts[depths[order]]
    return rank
