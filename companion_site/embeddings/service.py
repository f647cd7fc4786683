"""The embedder of this process, chosen by the settings, and embedding without holding up the event loop.

Where a question has no vector, words alone must do, and nobody's question fails.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
import structlog
from django.conf import settings

from companion_site.embeddings.bundled import MODEL, load_bundled
from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder, Vectors

logger = structlog.get_logger(__name__)

#: Two threads embed nearly twice as much as one (161 against 78 texts a second on two cores); the rest of the machine
#: belongs to the site. Texts in one call are no quicker than in several, so each request is a call of its own.
THREADS = min(2, os.cpu_count() or 1)
#: A service elsewhere computes by itself: more requests may be under way.
REMOTE_THREADS = 8
_LONGEST_NAME = 100


def get_embedder() -> Embedder:
    """Return the embedder this process uses; the first call loads it. Never asks over the network.

    Raises:
        EmbedderUnavailable: this machine cannot run it.
    """
    return _remote() if settings.EMBEDDINGS_PROVIDER == "openai" else load_bundled()


@cache
def _remote() -> Embedder:
    # The SDK takes a second to load, and a site with the bundled model never needs it.
    from companion_site.embeddings.openai import DEFAULT_BASE_URL, OpenAIEmbedder
    from companion_site.llm.scrubbing.policy import kinds_kept_from
    from companion_site.llm.sdks import silence_sdk_logs

    silence_sdk_logs()
    base_url = settings.EMBEDDINGS_BASE_URL or DEFAULT_BASE_URL
    return OpenAIEmbedder(
        model=settings.EMBEDDINGS_MODEL,
        dimension=settings.EMBEDDINGS_DIMENSION,
        api_key=settings.EMBEDDINGS_API_KEY,
        base_url=base_url,
        scrub=kinds_kept_from(base_url),
    )


def forget_embedder(*, setting: str, **kwargs: Any) -> None:
    """Have the embedder and its threads made anew after one of their settings changed (Django's `setting_changed`)."""
    if setting.startswith(("EMBEDDINGS_", "LLM_SCRUB")) or setting == "VAR_DIR":
        _remote.cache_clear()
        _threads_of.cache_clear()


async def embed_async(texts: Sequence[str]) -> Vectors:
    """Return (n, d) float32 like `Embedder.embed`, computed in a thread, in order of arrival; given up before its turn, it costs nothing."""
    return await asyncio.wrap_future(_threads_of(os.getpid()).submit(get_embedder().embed, texts))


def embed_and_wait(texts: Sequence[str]) -> Vectors:
    """Return the same to who waits in a thread of their own, which embeds one half of them while another embeds the other."""
    half = len(texts) // 2
    queued = _threads_of(os.getpid()).submit(get_embedder().embed, texts[:half]) if half else None
    own = get_embedder().embed(texts[half:])
    return own if queued is None else np.concatenate([queued.result(), own])


@cache
def _threads_of(process: int) -> ThreadPoolExecutor:
    """Return a process's threads; a forked child starts its own, since threads do not survive a fork."""
    is_remote = settings.EMBEDDINGS_PROVIDER == "openai"
    return ThreadPoolExecutor(REMOTE_THREADS if is_remote else THREADS, thread_name_prefix="embedding")


def present_model() -> str:
    """Return the name of the model that this site's settings choose, as `get_embedder().model` would."""
    if settings.EMBEDDINGS_PROVIDER == "openai":
        return name_vectors(settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_DIMENSION)
    return MODEL


def name_vectors(model: str, dimension: int) -> str:
    """Return what a service's vectors are kept under: model and length, for the same model may be asked for shorter ones."""
    name = f"openai/{model}/{dimension}"
    if len(name) <= _LONGEST_NAME:
        return name
    return f"openai/{model[:60]}~{sha256(model.encode()).hexdigest()[:16]}/{dimension}"


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
