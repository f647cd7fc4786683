"""The app that turns texts into vectors."""

from django.apps import AppConfig
from django.core.checks import register
from django.core.signals import setting_changed
from django.utils.translation import gettext_lazy as _


class EmbeddingsConfig(AppConfig):
    name = "companion_site.embeddings"
    label = "embeddings"
    verbose_name = _("Embeddings")

    def ready(self) -> None:
        """Check the settings, and let a changed one reach the embedder, which is made once per process."""
        from companion_site.embeddings.checks import check_embeddings
        from companion_site.embeddings.service import forget_embedder

        register(check_embeddings)
        setting_changed.connect(forget_embedder, dispatch_uid="embeddings.forget_embedder")
