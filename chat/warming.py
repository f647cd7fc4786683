"""What the first message would otherwise wait for: the models that read language, loaded at the start."""

from threading import Thread

from companion_site.embeddings.service import get_embedder
from memory.language import detect_language, tokens


def warm_up() -> None:
    """Load the embedder and the language detector, beside the start of the server."""
    Thread(target=_load, name="warm-up", daemon=True).start()


def _load() -> None:
    detect_language("Which language is this?", default="en")
    tokens("words", "en")
    get_embedder().embed(["warm"])
