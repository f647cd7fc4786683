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
    found: list[CheckMessage] = []
    if not settings.EMBEDDINGS_MODEL:
        found.append(Error("EMBEDDINGS_PROVIDER=openai needs EMBEDDINGS_MODEL.", id="embeddings.E001"))
    if not settings.EMBEDDINGS_DIMENSION:
        found.append(
            Error(
                "EMBEDDINGS_PROVIDER=openai needs EMBEDDINGS_DIMENSION, the length of the model's vectors.",
                id="embeddings.E002",
            )
        )
    found += _check_address(settings.EMBEDDINGS_BASE_URL)
    return found


def _check_address(base_url: str) -> list[CheckMessage]:
    if not (settings.EMBEDDINGS_API_KEY or base_url):
        return [
            Error(
                "EMBEDDINGS_PROVIDER=openai needs EMBEDDINGS_API_KEY, or EMBEDDINGS_BASE_URL for another service.",
                id="embeddings.E003",
            )
        ]
    if base_url and not _is_address(base_url):
        return [
            Error(
                "EMBEDDINGS_BASE_URL must be an address such as http://localhost:11434/v1.",
                id="embeddings.E004",
            )
        ]
    if base_url and is_on_this_machine(base_url):
        return []
    told = "as it stands" if not parse_kinds(settings.LLM_SCRUB) else "as placeholders"
    return [
        Warning(
            "The words of every memory are sent to the embedding service, which is not on this machine; "
            f"personal data goes {told} (LLM_SCRUB, docs/embeddings.md).",
            id="embeddings.W001",
        )
    ]


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
