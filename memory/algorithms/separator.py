"""Telling one kind of sentence from all others by a plane through the space of meaning. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit


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
        return np.asarray(expit(np.asarray(vectors, np.float64) @ self.weights + self.bias))


def fit_plane(vectors: NDArray[np.float32], is_kind: NDArray[np.bool_], *, freedom: float) -> Plane:
    """Fit a plane; both sides weigh the same, however many sentences each has.

    Args:
        vectors: (n, d) float32, unit length.
        is_kind: (n,) which of them are of the kind; there must be some of either.
        freedom: the inverse of the penalty on the squared weights, above 0.
    """
    from sklearn.linear_model import (
        LogisticRegression,  # loaded where a company's facts are fitted, not at every start
    )

    model = LogisticRegression(C=freedom, class_weight="balanced", tol=1e-8, max_iter=1_000)
    model.fit(np.asarray(vectors, np.float64), is_kind)
    return Plane(weights=model.coef_[0], bias=float(model.intercept_[0]))
