"""What a message asks of memory itself: to keep what it says, to put something away, to put something right."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder
from memory.reading.heads import Told, UnusableWeights
from memory.reading.params import READING
from memory.reading.service import ASKS, get_heads
from memory.reading.words import find_words, table, write_out

MemoryRequest = Literal["remember_this", "forget_this", "correct"]
#: What somebody wants who tells nothing.
ASKING = frozenset(
    {*ASKS, "about_conversation", "about_companion", "explain", "practise", "do_task", "advice"}
)


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
    return _request_of(text, get_heads(embedder).read_texts("intent", [text], vector[None])["intent"])


def _request_of(text: str, told: Told) -> MemoryRequest | None:
    chances: dict[MemoryRequest, float] = {
        request: told.of(request) for request in ("remember_this", "forget_this", "correct")
    }
    if _must_not_be_forgotten(text):
        chances = {"remember_this": chances["remember_this"] + chances["forget_this"]}
    bars: dict[MemoryRequest, float] = {
        "remember_this": READING.asks_to_remember,
        "forget_this": READING.asks_to_forget,
        "correct": READING.asks_to_correct,
    }
    return next((request for request, chance in chances.items() if chance >= bars[request]), None)


def _must_not_be_forgotten(text: str) -> bool:
    """Tell whether a message denies forgetting: "don't forget", "glöm inte"; one word turns its meaning round, and nearness does not see it."""
    words = find_words(text)
    pairs = ({word, following} for word, following in pairwise(words))
    return any(pair & table("forgetting") and pair & table("denying") for pair in pairs)


def find_purposes(texts: Sequence[str], embedder: Embedder) -> list[MemoryRequest | Literal["ask"] | None]:
    """Return the same of each of several messages, and which of them only ask; None for all where they cannot be read."""
    try:
        vectors = embedder.embed([write_out(text) for text in texts]) if texts else ()
        heads = get_heads(embedder)
    except (EmbeddingError, UnusableWeights):
        return [None] * len(texts)
    found: list[MemoryRequest | Literal["ask"] | None] = []
    for text, vector in zip(texts, vectors, strict=True):
        told = heads.read_texts("intent", [write_out(text)], vector[None])["intent"]
        asks = told.likeliest() in ASKING and told.of("tell") < READING.tells_beside
        found.append(_request_of(text, told) or ("ask" if asks else None))
    return found
