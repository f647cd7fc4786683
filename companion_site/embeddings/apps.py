from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EmbeddingsConfig(AppConfig):
    name = "companion_site.embeddings"
    label = "embeddings"
    verbose_name = _("Embeddings")
