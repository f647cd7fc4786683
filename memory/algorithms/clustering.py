"""Which memories hang together closely enough to become one: spectral clustering of the weighted adjacency. Pure.

Connected parts are cut into clusters along the eigenvectors of their normalised Laplacian, and those again, until a
cluster is dense enough to merge or is a single node. Nothing is drawn by chance: the same graph gives the same clusters.

Source: the document, "Layer 2: Cluster & Merge"; Damle, Minden and Ying 2019 (assignment by pivoted QR).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components

from memory.algorithms.adjacency import as_pairs
from memory.algorithms.merge import Cluster

#: a sum of weights may fall short of its mean times their number by so much each
ROUNDING = 1e-12
Rows = NDArray[np.int64]
Fits = Callable[[Sequence[int]], bool]
"""Whether rows may become one node, whatever holds them together."""
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ClusterParams:
    """When a cluster is one thing.

    Attributes:
        density: mean weight over all possible pairs from which a cluster merges: the golden ratio - 1 (given by the
            product's document).
        dense_nodes: up to so many nodes a part is cut by all its eigenvectors; a larger one is halved first.
        rough_steps: of the power iteration by which it is halved.
        step: merging to a target takes the densest pairs first, those within this share of the densest at a time.
    """

    density: float = 0.618
    dense_nodes: int = 300
    rough_steps: int = 60
    step: float = 0.9


CLUSTERING = ClusterParams()


def find_clusters(adjacency: csr_array, *, fits: Fits) -> list[Cluster]:
    """Return the clusters of two or more nodes that are dense enough to merge, in the order of their first rows.

    Args:
        adjacency: (n, n) symmetric, 0 to 1, nothing on the diagonal.
        fits: asked of rows that are dense enough.
    """
    found: list[Cluster] = []
    open_parts = list(_connected(adjacency, np.arange(adjacency.shape[0])))
    while open_parts:
        rows, part = open_parts.pop()
        # What is dense enough on the whole holds a pair that is.
        if part.data.max() < CLUSTERING.density:
            continue
        if part.sum() >= (CLUSTERING.density - ROUNDING) * len(rows) * (len(rows) - 1) and fits(
            rows.tolist()
        ):
            found.append(tuple(rows.tolist()))
        elif len(rows) > 2:
            for piece in _cut(part):
                open_parts += _connected(adjacency, rows[piece])
    return sorted(found)


def pair_up(
    adjacency: csr_array,
    *,
    least: float,
    most: int,
    gravity: NDArray[np.float64],
) -> list[Cluster]:
    """Return the densest pairs, no row in two of them; of equal ones the faintest first.

    Only those within a step of the densest are taken, so that what they become is weighed anew before the next.

    Args:
        adjacency: of pairs that may merge.
        least: weight that a pair needs.
        most: pairs, at the most.
        gravity: (n,) of the nodes.
    """
    low, high, weight = as_pairs(adjacency)
    order = np.lexsort((high, low, gravity[low] + gravity[high], -weight))
    taken: set[int] = set()
    found: list[Cluster] = []
    bar = least
    for at in order.tolist():
        pair = int(low[at]), int(high[at])
        if len(found) >= most or weight[at] < bar:
            break
        if taken.isdisjoint(pair):
            if not found:
                bar = max(least, CLUSTERING.step * float(weight[at]))
            found.append(pair)
            taken.update(pair)
    return sorted(found)


def _connected(adjacency: csr_array, rows: Rows) -> Iterator[tuple[Rows, csr_array]]:
    """Yield the connected parts of more than one node among `rows`, each with its own adjacency."""
    if len(rows) < 2:
        return
    count, label = connected_components(adjacency[rows][:, rows], directed=False)
    order = np.argsort(label, kind="stable")
    ends = np.cumsum(np.bincount(label, minlength=count))
    for part in np.split(rows[order], ends[:-1]):
        if len(part) > 1:
            yield part, adjacency[part][:, part]


def _cut(part: csr_array) -> list[Rows]:
    """Return the pieces of a connected part of three or more nodes; none where it has no inner division."""
    from sklearn.cluster import spectral_clustering  # loaded where memories are merged, not at every start

    if part.shape[0] > CLUSTERING.dense_nodes:
        return _halve(part)
    part.indices, part.indptr = part.indices.astype(np.int32), part.indptr.astype(np.int32)
    label = spectral_clustering(
        part,
        n_clusters=_count_pieces(part),
        eigen_solver="arpack",
        assign_labels="cluster_qr",
        random_state=0,
    )
    pieces = [np.flatnonzero(label == each) for each in np.unique(label)]
    return pieces if len(pieces) > 1 else []


def _count_pieces(part: csr_array) -> int:
    """Return into how many pieces a part falls by itself: where its eigenvalues have their widest gap, from two on."""
    values = np.linalg.eigvalsh(_normalised(part).toarray())[::-1]
    gaps = values[1:-1] - values[2:]
    return 2 + int(np.argmax(gaps[: max(1, len(values) // 2)]))


def _halve(part: csr_array) -> list[Rows]:
    """Return two halves of a large part along its second eigenvector, found roughly, cut at its widest gap.

    Finding it exactly takes minutes where everything hangs together with everything, and there says no more.
    """
    step = _normalised(part)
    first = np.sqrt(np.asarray(part.sum(axis=1)).ravel())
    first /= np.linalg.norm(first)
    second = np.sin(1.0 + np.arange(part.shape[0]))
    for _ in range(CLUSTERING.rough_steps):
        second -= first * (first @ second)
        second = second + step @ second
        second /= np.linalg.norm(second)
    order = np.argsort(second / first, kind="stable")
    third = len(order) // 3
    middle = (second / first)[order][third : len(order) - third]
    at = third + 1 + int(np.argmax(np.diff(middle)))
    return [np.sort(order[:at]), np.sort(order[at:])]


def _normalised(part: csr_array) -> csr_array:
    """Return D^-1/2 A D^-1/2, whose largest eigenvalues are the smallest of the normalised Laplacian."""
    root = diags_array(1.0 / np.sqrt(np.asarray(part.sum(axis=1)).ravel()))
    return csr_array(root @ part @ root)


def group_alike(similarity: FloatArray, *, least: float) -> IntArray:
    """Return (n,) a number for each memory, the same for those that a chain of similar ones joins.

    Args:
        similarity: (n, n) calibrated, 0 to 1.
        least: what joins two.
    """
    if not len(similarity):
        return np.zeros(0, dtype=np.int64)
    first, second = np.nonzero(similarity >= least)
    joined = coo_array((np.ones(len(first)), (first, second)), shape=similarity.shape)
    _, numbers = connected_components(joined, directed=False)
    return np.asarray(numbers, dtype=np.int64)
