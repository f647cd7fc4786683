"""Embedding no text twice within one piece of work."""

from collections.abc import Mapping, Sequence

import numpy as np

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Embedder, Vectors


class EmbedOnce:
    """An embedder that keeps each vector for as long as it lives, one message or one job, beside those `known` before."""

    def __init__(self, embedder: Embedder, known: Mapping[str, np.ndarray] | None = None) -> None:
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = dict(known or {})
        self.model: str = embedder.model
        self.dimension: int = embedder.dimension

    @property
    def calibration(self) -> Calibration:
        """The embedder's, as it is now: it may be fitted meanwhile."""
        return self._embedder.calibration

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d) float32 of unit length, in the order given; asks for the texts that are new, at once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32).reshape(-1, self.dimension)
