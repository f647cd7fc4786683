"""What a message asks of memory itself: to keep what it says, to put something away, to put something right."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
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
