"""Telling kinds and degrees of feeling from a vector, by directions fitted to labelled sentences. Pure numpy.

Each quantity (six emotions, intensity, energy, four social needs) is a ridge regression on the sentences' unit vectors
less their mean. With fewer sentences than dimensions the penalty decides how far single sentences count. It tells as many
messages rightly as votes of the nearest sentences, and gives scores to which what words say can be added (docs/algorithms/emotions.md).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.isotropy import unit_rows

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Directions:
    """What was fitted.

    Attributes:
        mean: (d,) taken from every vector first.
        weights: (d, k).
        offsets: (k,) what a sentence that says nothing gets.
    """

    mean: FloatArray
    weights: FloatArray
    offsets: FloatArray

    def read(self, vector: NDArray[np.floating]) -> FloatArray:
        """Return (k,) the quantities of one (d,) vector."""
        centred = unit_rows((np.asarray(vector, np.float64) - self.mean)[None, :])
        return np.asarray(centred[0] @ self.weights + self.offsets)


def fit_directions(
    vectors: NDArray[np.floating], targets: FloatArray, weights: FloatArray, *, penalty: float
) -> Directions:
    """Return the directions of least weighted squares with a penalty on their length.

    Args:
        vectors: (n, d) of the labelled sentences.
        targets: (n, k) their quantities.
        weights: (n,) how much each sentence counts, above 0.
        penalty: above 0.
    """
    given = np.asarray(vectors, np.float64)
    mean = np.average(given, axis=0, weights=weights)
    offsets = np.average(targets, axis=0, weights=weights)
    roots = np.sqrt(weights)[:, None]
    rows, wanted = roots * unit_rows(given - mean), roots * (targets - offsets)
    # By the sentences' products among each other (n x n), which is the same and smaller than d x d for few sentences.
    shares = np.linalg.solve(rows @ rows.T + penalty * np.eye(len(rows)), wanted)
    return Directions(mean=mean, weights=rows.T @ shares, offsets=offsets)


def weigh_alike(kinds: NDArray[np.integer]) -> FloatArray:
    """Return (n,) weights by which each kind counts alike, 1 on average, however many of it there are."""
    _, places, counts = np.unique(kinds, return_inverse=True, return_counts=True)
    return np.asarray(len(kinds) / (len(counts) * counts[places]), np.float64)


def probabilities(scores: FloatArray, *, temperature: float) -> FloatArray:
    """Return (k,) probabilities of scores; the lower the temperature, the surer the first."""
    raised = np.exp((scores - scores.max()) / temperature)
    return np.asarray(raised / raised.sum())


def find_level(value: float, *, low: float, high: float) -> int:
    """Return 0, 1 or 2: below `low`, between, above `high`."""
    return int(value >= low) + int(value > high)
