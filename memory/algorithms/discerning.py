"""Telling one kind of sentence from all others by a plane through the space of meaning. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Newton's steps; from 250 sentences eight already change nothing in the sixth place.
STEPS = 12


@dataclass(frozen=True, slots=True)
class Plane:
    """Logistic regression: how likely a vector is of the kind.

    Attributes:
        weights: (d,) float64.
        bias: where the vector of zeros stands.
    """

    weights: NDArray[np.float64]
    bias: float

    def probability(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (n,) float64, 0 to 1, for (n, d) vectors of unit length."""
        return _sigmoid(np.asarray(vectors, np.float64) @ self.weights + self.bias)


def fit_plane(vectors: NDArray[np.float32], is_kind: NDArray[np.bool_], *, freedom: float) -> Plane:
    """Fit a plane by Newton's method; both sides weigh the same, however many sentences each has.

    Args:
        vectors: (n, d) float32, unit length.
        is_kind: (n,) which of them are of the kind; there must be some of either.
        freedom: the inverse of the penalty on the squared weights, above 0.

    Source: Hastie, Tibshirani, Friedman, "The Elements of Statistical Learning", 4.4.1, with a ridge penalty.
    """
    labels = np.asarray(is_kind, dtype=np.float64)
    share = labels.mean()
    weight = np.where(is_kind, 0.5 / share, 0.5 / (1.0 - share))
    inputs = np.column_stack([np.asarray(vectors, np.float64), np.ones(len(labels))])
    penalty = np.full(inputs.shape[1], 1.0 / freedom)
    penalty[-1] = 0.0
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        likely = _sigmoid(inputs @ found)
        gradient = inputs.T @ (weight * (likely - labels)) + penalty * found
        curvature = (inputs.T * (weight * likely * (1.0 - likely) + 1e-9)) @ inputs + np.diag(penalty)
        found -= np.linalg.solve(curvature, gradient)
    return Plane(weights=found[:-1], bias=float(found[-1]))


def _sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0))))
