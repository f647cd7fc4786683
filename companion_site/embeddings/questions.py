"""A question's vector: where there is none to be had, words alone must do, and nobody's question fails."""

import numpy as np
import structlog

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder, Vectors
from companion_site.embeddings.service import embed_async, get_embedder

logger = structlog.get_logger(__name__)


def no_meaning(dimension: int) -> Vectors:
    """Return (d,) zeros: what is not known to mean anything. It is like nothing, so words alone decide."""
    return np.zeros(dimension, np.float32)


async def embed_question(text: str) -> Vectors:
    """Return (d,) float32 of a question, off the event loop; `no_meaning` where the embedder fails, which is logged.

    For comparing and for nothing else: such a vector is never kept.
    """
    try:
        (vector,) = await embed_async([text])
    except EmbeddingError as error:
        return _by_words(error, get_embedder().dimension)
    return np.asarray(vector, np.float32)


def embed_question_with(embedder: Embedder, text: str) -> Vectors:
    """Return the same in a thread of its own, by the given embedder."""
    try:
        (vector,) = embedder.embed([text])
    except EmbeddingError as error:
        return _by_words(error, embedder.dimension)
    return np.asarray(vector, np.float32)


def _by_words(error: EmbeddingError, dimension: int) -> Vectors:
    logger.warning("embeddings.words_alone", reason=error.code)
    return no_meaning(dimension)
