"""What can be wrong with an embedder."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError


class EmbedderUnavailable(CompanionError):
    """The bundled model cannot run on this machine."""

    code = "embeddings.unavailable"
    message = _(
        "The bundled embedding model needs a processor with AVX2 and FMA, which this machine lacks. "
        "Run Companion on another machine, or set up an external embedding service."
    )
