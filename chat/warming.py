"""What the first message would otherwise wait for: models that read language, the providers' SDKs and the
schools' worlds, loaded at the start."""

import gc
from threading import Thread

import structlog
from django.db import connection

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.service import get_embedder
from companion_site.language import detect_language, tokens
from companion_site.llm.gateway import get_gateway
from companion_site.residue import pass_over_what_is_there
from memory.packs.relevance import load_everyday
from memory.reading.service import get_heads
from overlay.worlds import prepare_worlds

logger = structlog.get_logger(__name__)


def warm_up() -> None:
    """Load what a turn needs, beside the start of the server."""
    Thread(target=load_for_good, kwargs={"is_serving": True}, name="warm-up", daemon=True).start()


def load_for_good(*, is_serving: bool = False) -> None:
    """Load it all, and have the collecting of garbage pass over what stays.

    Going over it takes longer than a turn, and anybody's turn may set it off. A worker does so before its processes are
    forked: their pages are then not copied into each of them. Nor is it gone over while it is loaded.
    """
    gc.disable()
    try:
        _load()
        pass_over_what_is_there(is_serving=is_serving)
    finally:
        gc.enable()


def _load() -> None:
    """Load it all, and leave no connection open."""
    detect_language("Which language is this?", default="en")
    tokens("words", "en")
    try:
        embedder = get_embedder()
        get_heads(embedder)  # first what a turn itself waits for, then what memories are formed by
        load_everyday(embedder.embed, model=embedder.model)
    except EmbeddingError as error:
        logger.warning("warming.failed", code=error.code)  # each is loaded when it is needed
    get_gateway()
    try:
        prepare_worlds()
    finally:
        connection.close()
