"""What every embedder offers, bundled or remote, and what text it can take."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.calibration import Calibration

#: About one window of the bundled model (510 tokens). A longer text would be the average of several windows, which
#: stands for none of them, at .4 ms a character; its words are all in the lexical index.
MAX_CHARS = 2_000
#: The end of a long text often holds its point; it gets this share of the room.
TAIL_CHARS = 500
Vectors = NDArray[np.float32]


def clean_text(text: str) -> str:
    """Return the text as an embedder can take it: no NUL, no half surrogate pairs, at most MAX_CHARS from both ends.

    Raises:
        TypeError: it is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text to embed must be a string, not {type(text).__name__}")
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS - TAIL_CHARS - 1]} {text[-TAIL_CHARS:]}"
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return paired.replace("\0", " ")


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
