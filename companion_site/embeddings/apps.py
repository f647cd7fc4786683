"""The app that turns texts into vectors. What is wrong with its settings is said at start-up, not with the first question."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.signals import setting_changed
from django.utils.translation import gettext_lazy as _

from companion_site.llm.scrubbing.policy import is_on_this_machine, parse_kinds


class EmbeddingsConfig(AppConfig):
    name = "companion_site.embeddings"
    label = "embeddings"
    verbose_name = _("Embeddings")

    def ready(self) -> None:
        """Check the settings, and let a changed one reach the embedder, which is made once per process."""
        from companion_site.embeddings.service import forget_embedder

        register(check_embeddings)
        setting_changed.connect(forget_embedder, dispatch_uid="embeddings.forget_embedder")


def check_embeddings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return what keeps an external service from being asked, and a warning where it is told personal data."""
    if settings.EMBEDDINGS_PROVIDER != "openai":
        return []
    base_url = settings.EMBEDDINGS_BASE_URL
    has_service = bool(settings.EMBEDDINGS_API_KEY or base_url)
    can_be_asked = has_service and (not base_url or _is_address(base_url))
    faults = (
        (not settings.EMBEDDINGS_MODEL, "needs EMBEDDINGS_MODEL."),
        (not settings.EMBEDDINGS_DIMENSION, "needs EMBEDDINGS_DIMENSION, the length of the model's vectors."),
        (not has_service, "needs EMBEDDINGS_API_KEY, or EMBEDDINGS_BASE_URL for another service."),
    )
    found: list[CheckMessage] = [
        Error(f"EMBEDDINGS_PROVIDER=openai {text}", id=f"embeddings.E00{number}")
        for number, (is_wrong, text) in enumerate(faults, start=1)
        if is_wrong
    ]
    if has_service and not can_be_asked:
        text = "EMBEDDINGS_BASE_URL must be an address such as http://localhost:11434/v1."
        found.append(Error(text, id="embeddings.E004"))
    if can_be_asked and not is_on_this_machine(base_url):
        told = "as placeholders" if parse_kinds(settings.LLM_SCRUB) else "as it stands"
        text = (
            "The words of every memory are sent to the embedding service, which is not on this machine; "
            f"personal data goes {told} (LLM_SCRUB, docs/embeddings.md)."
        )
        found.append(Warning(text, id="embeddings.W001"))
    return found


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
