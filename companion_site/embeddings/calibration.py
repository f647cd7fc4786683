"""From a model's raw cosine to the similarity that thresholds mean. Pure.

Embedding models squeeze cosines into ranges of their own: in the bundled one, two sentences with nothing in common
stand at .77. Thresholds (related from .7, the same from .8) are stated on one scale, and every embedder brings the
map to it. The map says nothing of truth: an opposite scores like a paraphrase, so whether two memories say the same
is decided by their values, never by this number alone. Fit and figures: docs/embeddings.md.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A rising line through knots, from cosine to similarity and back.

    Attributes:
        raw: cosines, rising, from -1 to 1.
        calibrated: the similarity at each, rising, from 0 to 1.
        provenance: what the knots were fitted on and how to fit them again.

    Raises:
        ValueError: the knots do not rise, or do not span the range.
    """

    raw: tuple[float, ...]
    calibrated: tuple[float, ...]
    provenance: str

    def __post_init__(self) -> None:
        if len(self.raw) != len(self.calibrated):
            raise ValueError("a calibration needs as many similarities as cosines")
        if np.any(np.diff(self.raw) <= 0) or np.any(np.diff(self.calibrated) <= 0):
            raise ValueError(f"knots must rise: {self.raw} to {self.calibrated}")
        if (self.raw[0], self.raw[-1], self.calibrated[0], self.calibrated[-1]) != (-1.0, 1.0, 0.0, 1.0):
            raise ValueError("knots must span -1..1 and 0..1")

    def similarity(self, cosine: ArrayLike) -> NDArray[np.float64]:
        """Return the similarity, 0 to 1, of each cosine (any shape); never falling, rounding past 1 taken as 1."""
        return np.asarray(np.interp(np.asarray(cosine, np.float64), self.raw, self.calibrated))

    def cosine(self, similarity: ArrayLike) -> NDArray[np.float64]:
        """Return the cosine at which `similarity` is reached; the inverse of `similarity`."""
        return np.asarray(np.interp(np.asarray(similarity, np.float64), self.calibrated, self.raw))
