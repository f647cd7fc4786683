"""What the seeds lead to: a walk over the heaviest edges, all rows of a hop at the same time. Pure numpy."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from memory.algorithms.activation.params import ACTIVATION, FloatArray, IntArray


@dataclass(frozen=True)
class Bloom:
    """What the seeds lead to, themselves included.

    Attributes:
        rows: (m,) ascending.
        hops: (m,) 0 for a seed.
        edge: (m,) float64, the greatest weight of an edge to the row from one with fewer hops; 1 for a seed.
    """

    rows: IntArray
    hops: IntArray
    edge: FloatArray

    def __len__(self) -> int:
        return len(self.rows)


def bloom(
    adjacency: csr_array,
    seeds: Iterable[int] | IntArray,
    *,
    hops: int = ACTIVATION.hops,
    max_per_node: int | None = ACTIVATION.max_per_node,
    min_weight: float = ACTIVATION.min_edge_weight,
) -> Bloom:
    """Return the rows within `hops` edges of the seeds. The order of the seeds does not matter.

    At each hop every row reached at the one before adds its heaviest neighbours that are not reached yet (of equal
    weight the lower row), all at the same time.

    Args:
        adjacency: (n, n) weights, 0 to 1; row i holds the edges that lead from i. To walk both ways give both.
        seeds: rows; one that is given twice counts once.
        max_per_node: how many each row adds at the most; None: all.
        min_weight: edges lighter than this are not walked, nor are those of no weight.

    Raises:
        ValueError: a seed is no row, or a bound is negative.
    """
    count = adjacency.shape[0]
    rows = np.asarray(seeds if isinstance(seeds, np.ndarray) else [*seeds], np.int64)
    if len(rows) and not 0 <= rows.min() <= rows.max() < count:
        raise ValueError("a seed is no row of the graph")
    if hops < 0 or (max_per_node is not None and max_per_node < 0):
        raise ValueError("neither hops nor max_per_node may be negative")
    graph = adjacency if adjacency.has_sorted_indices else adjacency.sorted_indices()
    edge, distance = np.zeros(count), np.full(count, -1, np.int32)
    frontier = _once(rows, count)
    edge[frontier], distance[frontier] = 1.0, 0
    for hop in range(1, hops + 1):
        source, target, weight = edges_from(graph, frontier)
        fresh = np.flatnonzero((weight > 0) & (weight >= min_weight) & (distance[target] < 0))
        source, target, weight = source[fresh], target[fresh], weight[fresh]
        np.maximum.at(edge, target, weight)
        frontier = _once(target[_heaviest(source, weight, most=max_per_node)], count)
        distance[frontier] = hop
    reached = np.flatnonzero(distance >= 0)
    return Bloom(reached, distance[reached].astype(np.int64), edge[reached])


def _once(rows: IntArray, count: int) -> IntArray:
    """Return the rows, each once, ascending. Marking them among `count` costs less than sorting does."""
    among = np.zeros(count, np.bool_)
    among[rows] = True
    return np.flatnonzero(among)


def edges_from(adjacency: csr_array, rows: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return source, target and weight of all edges that lead from `rows`, in the order of both."""
    starts = adjacency.indptr[rows].astype(np.int64)
    sizes = adjacency.indptr[rows + 1] - starts
    at = np.arange(int(sizes.sum())) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return (
        np.repeat(rows, sizes),
        adjacency.indices[at].astype(np.int64),
        adjacency.data[at].astype(np.float64),
    )


def _heaviest(source: IntArray, weight: FloatArray, *, most: int | None) -> IntArray:
    """Return the positions of the `most` heaviest edges of each source; of equal weight those to the lower row.

    Args:
        source: (e,) ascending; the edges of one source in the order of their targets.
    """
    if most is None or not len(source):
        return np.arange(len(source))
    starts = np.concatenate([[0], np.flatnonzero(source[1:] != source[:-1]) + 1])
    sizes = np.diff(np.concatenate([starts, [len(source)]]))
    if sizes.max() <= most:
        return np.arange(len(source))
    # One stable sort keeps the sources apart: a weight moves an edge by less than one source's place.
    group = np.repeat(np.arange(len(starts)), sizes)
    order = np.argsort(group - weight / (2.0 * max(1.0, float(weight.max()))), kind="stable")
    kept: IntArray = order[np.arange(len(source)) - np.repeat(starts, sizes) < most]
    return kept
