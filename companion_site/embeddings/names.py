"""What vectors are kept under: told without loading a model."""

from hashlib import sha256

from django.conf import settings

from companion_site.embeddings.bundled import MODEL

_MOST_CHARS = 100


def present_model() -> str:
    """Return the name of the model that this site's settings choose, as `get_embedder().model` would."""
    if settings.EMBEDDINGS_PROVIDER == "openai":
        return name_vectors(settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_DIMENSION)
    return MODEL


def name_vectors(model: str, dimension: int) -> str:
    """Return what a service's vectors are kept under: model and length, for the same model may be asked for shorter ones."""
    name = f"openai/{model}/{dimension}"
    if len(name) <= _MOST_CHARS:
        return name
    return f"openai/{model[:60]}~{sha256(model.encode()).hexdigest()[:16]}/{dimension}"
