"""Which memories hang together with those found: a walk over strong edges. Pure."""

from collections.abc import Iterable

from scipy.sparse import csr_array


def spread(adjacency: csr_array, seeds: Iterable[int], *, max_hops: int, min_weight: float) -> dict[int, int]:
    """Return the rows reached from `seeds` over edges of at least `min_weight`, with their distance in hops.

    Args:
        adjacency: (n, n) symmetric edge weights, 0 to 1.
        seeds: rows to start from; they are not in the answer.
        max_hops: how many edges a row may be away, 0 or more.

    Returns:
        row → hops (1..max_hops), nearest first.

    Source: the document's context building: two hops over edges of at least 0.5.
    """
    seen = set(seeds)
    frontier = list(seen)
    reached: dict[int, int] = {}
    for hops in range(1, max_hops + 1):
        fresh = []
        for row in frontier:
            start, end = adjacency.indptr[row], adjacency.indptr[row + 1]
            for other, weight in zip(
                adjacency.indices[start:end].tolist(), adjacency.data[start:end].tolist(), strict=True
            ):
                if weight >= min_weight and other not in seen:
                    seen.add(other)
                    reached[other] = hops
                    fresh.append(other)
        frontier = sorted(fresh)
    return reached
