"""What the first message would otherwise wait for: models that read language and the providers' SDKs, loaded at the start."""

from threading import Thread

from companion_site.embeddings.service import get_embedder
from companion_site.language import detect_language, tokens
from companion_site.llm.gateway import get_gateway


def warm_up() -> None:
    """Load what a turn needs, beside the start of the server."""
    Thread(target=_load, name="warm-up", daemon=True).start()


def _load() -> None:
    detect_language("Which language is this?", default="en")
    tokens("words", "en")
    get_embedder().embed(["warm"])
    get_gateway()
