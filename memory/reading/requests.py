"""What a message asks of memory itself: to keep what it says, to put something away, to put something right."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from memory.reading.heads import UnusableWeights
from memory.reading.params import READING
from memory.reading.service import get_heads

MemoryRequest = Literal["remember_this", "forget_this", "correct"]


def find_request(
    text: str,
    *,
    vector: NDArray[np.floating],
    embedder: Embedder | None = None,
) -> MemoryRequest | None:
    """Return what a message surely asks of memory; None where it asks for nothing of the kind.

    Args:
        vector: (d,) of the message.
    """
    told = get_heads(embedder).read_texts("intent", [text], vector[None])["intent"]
    bars: dict[MemoryRequest, float] = {
        "remember_this": READING.asks_to_remember,
        "forget_this": READING.asks_to_forget,
        "correct": READING.asks_to_correct,
    }
    return next((request for request, bar in bars.items() if told.of(request) >= bar), None)


def find_requests(texts: Sequence[str]) -> list[MemoryRequest | None]:
    """Return the same of each of several messages; None for all where they cannot be read."""
    try:
        vectors = get_embedder().embed(texts) if texts else ()
        return [find_request(text, vector=vector) for text, vector in zip(texts, vectors, strict=True)]
    except (EmbeddingError, UnusableWeights):
        return [None] * len(texts)
