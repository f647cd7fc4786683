"""What every embedder offers, bundled or remote."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.calibration import Calibration

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns short texts into vectors of one space.

    Attributes:
        model: name and version, kept beside every vector; vectors of two models are never compared.
        dimension: length of a vector.
        calibration: from this model's cosines to the similarity that thresholds are stated in.
    """

    @property
    def model(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def calibration(self) -> Calibration: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d) float32 of unit length, in the order given; safe in any thread.

        Raises:
            EmbeddingError: there are no vectors to be had now.
        """
        ...
