"""Vectors of the texts that a bench measures with: each text is embedded once, and where thousands are wanted, they are mixed of others."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from companion_site.embeddings.protocol import Embedder

#: A batch of texts to embed; larger ones gain nothing and hold up Ctrl-C.
BATCH = 64


def embed_all(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """Return (n, d) vectors, batch by batch."""
    parts = [embedder.embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
    return np.concatenate(parts) if parts else embedder.embed([])


@contextmanager
def remember_vectors(embedder: Embedder) -> Iterator[None]:
    """Have each text embedded once in this process: the same text has the same vector always, and several ways need it.

    Formation, a transcript and its questions share many texts; embedding is most of what a measurement costs.
    """
    known: dict[str, np.ndarray] = {}
    plain = embedder.embed

    def embed(texts: Sequence[str]) -> np.ndarray:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        known.update(zip(new, plain(new), strict=True))
        return np.array([known[text] for text in texts], np.float32).reshape(-1, embedder.dimension)

    embedder.embed = embed  # type: ignore[method-assign]
    try:
        yield
    finally:
        del embedder.embed


def mix_vectors(vectors: np.ndarray, count: int) -> np.ndarray:
    """Return (count, d) unit vectors: the given ones, then means of random pairs of them."""
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, len(vectors), size=(max(0, count - len(vectors)), 2))
    mixed = vectors[pairs].sum(axis=1)
    mixed /= np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-6)
    return np.concatenate([vectors[:count], mixed]).astype(np.float32)
