"""Which memories speak of how somebody is getting on, and which of them speak of the same. Pure numpy and scipy.

A memory's kind is voted for by the labelled sentences nearest to it, after what all sentences share was taken away.
It counts only when enough of the votes agree and how the memory feels does not speak against it: nobody's strength is what
they are unhappy about. What is doubtful belongs to no kind, since an assessment must not invent anything.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from memory.algorithms.isotropy import unit_rows

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class AssessingParams:
    """How sure a kind must be; chosen on every other pair of rows of tests/data/assessment.json; on the
    pairs left out 18 of 19 memories that are assessed are assessed rightly, and 18 of 22 are found."""

    #: labelled sentences that vote
    nearest: int = 7
    #: share of their weighed votes that the first kind needs
    share: float = 0.5
    #: a feeling beyond this speaks against a kind of the opposite sign
    against: float = 0.25


ASSESSING = AssessingParams()


def vote_kinds(
    vectors: NDArray[np.floating],
    prototypes: NDArray[np.floating],
    labels: IntArray,
    *,
    none: int,
    count: int,
    params: AssessingParams = ASSESSING,
) -> IntArray:
    """Return (n,) the kind of each memory, `none` where the votes do not agree.

    Args:
        vectors: (n, d) less the mean that was taken from the prototypes.
        prototypes: (m, d) likewise.
        labels: (m,) kind of each prototype.
        none: the kind of what belongs to no part.
        count: how many kinds there are.
    """
    if not len(vectors):
        return np.zeros(0, dtype=np.int64)
    cosines = unit_rows(np.asarray(vectors, np.float64)) @ unit_rows(np.asarray(prototypes, np.float64)).T
    nearest = min(params.nearest, len(prototypes))
    rows = np.argpartition(-cosines, nearest - 1, axis=1)[:, :nearest]
    weights = np.clip(np.take_along_axis(cosines, rows, axis=1), 0.0, None) ** 2
    votes = np.stack([(weights * (labels[rows] == kind)).sum(axis=1) for kind in range(count)], axis=1)
    total = np.maximum(votes.sum(axis=1), 1e-9)
    first = votes.argmax(axis=1)
    agreed = votes[np.arange(len(votes)), first] / total >= params.share
    return np.asarray(np.where(agreed, first, none), dtype=np.int64)


def drop_contradicted(
    kinds: IntArray, valence: FloatArray, signs: FloatArray, *, none: int, params: AssessingParams = ASSESSING
) -> IntArray:
    """Return the kinds, `none` where how a memory feels speaks against it.

    Args:
        kinds: (n,).
        valence: (n,) -1 to 1.
        signs: (k,) how each kind feels: 1 good, -1 bad, 0 either way.
    """
    against = signs[kinds] * valence < -params.against
    return np.where(against, none, kinds)


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
