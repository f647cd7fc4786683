"""Which memories speak of the same. Pure numpy and scipy."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


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
