"""Similarity with what all of a space's vectors share taken out. Pure numpy.

Vectors of small embedding models crowd into a narrow cone: a handful of directions carries tone, length and form of
address, and outweighs what a text is about. Taking the mean and those directions out of memories and question alike
("all but the top") makes the rest count.

Source: Mu and Viswanath, "All-but-the-Top: Simple and Effective Postprocessing for Word Representations" (2018),
algorithm 1. What it is worth here: docs/algorithms/recall.md.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
AnyFloat = TypeVar("AnyFloat", np.float32, np.float64)

#: Directions taken out. In the full ranking 4 or 5 find .885 of the answers in the first ten, 0 to 3 and 6 to 8 find
#: .867 to .878; plain vectors gain far more (docs/algorithms/recall.md).
DIRECTIONS = 4
#: A direction is worth taking out only when this many vectors speak for it.
VECTORS_PER_DIRECTION = 25
#: Rounds of subspace iteration; by then the leading directions of such spectra stand to three digits.
ROUNDS = 6
_SPARE = 4


@dataclass(frozen=True)
class Isotropy:
    """What the vectors of a space share.

    Attributes:
        mean: (d,) float32.
        directions: (k, d) float32, orthonormal rows; k is 0 in a small space.
    """

    mean: FloatArray
    directions: FloatArray

    def clean(self, vectors: FloatArray) -> FloatArray:
        """Return (..., d) vectors without what is shared, not rescaled."""
        centred: FloatArray = vectors - self.mean
        return np.asarray(centred - (centred @ self.directions.T) @ self.directions, np.float32)


def fit_isotropy(vectors: FloatArray, *, directions: int = DIRECTIONS) -> Isotropy:
    """Return the mean and the leading directions of (n, d) vectors; the same input gives the same result.

    Subspace iteration on the vectors themselves: 2 ms for 1,000 of 384, where a full decomposition takes 100.
    """
    count, dimension = vectors.shape
    if not count:
        return Isotropy(np.zeros(dimension, np.float32), np.zeros((0, dimension), np.float32))
    mean: FloatArray = vectors.mean(axis=0, dtype=np.float32)
    wanted = min(directions, count // VECTORS_PER_DIRECTION, dimension)
    if not wanted:
        return Isotropy(mean, np.zeros((0, dimension), np.float32))
    centred = vectors - mean
    basis = _start(dimension, min(wanted + _SPARE, dimension))
    for _ in range(ROUNDS):
        basis = np.linalg.qr(centred.T @ (centred @ basis)).Q.astype(np.float32)
    _, _, rotation = np.linalg.svd(centred @ basis, full_matrices=False)
    return Isotropy(mean, np.ascontiguousarray((basis @ rotation.T[:, :wanted]).T, dtype=np.float32))


def unit_rows(vectors: NDArray[AnyFloat]) -> NDArray[AnyFloat]:
    """Return (..., d) vectors at unit length; a row of zeros stays one."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
    return np.asarray(vectors / lengths, vectors.dtype)


def _start(dimension: int, width: int) -> FloatArray:
    """Return (dimension, width) orthonormal columns, unlike any axis: the lowest waves of a cosine transform."""
    waves = np.outer(np.arange(dimension) + 0.5, np.arange(1, width + 1)) * (np.pi / dimension)
    columns: FloatArray = (np.cos(waves) * np.sqrt(2 / dimension)).astype(np.float32)
    return columns
