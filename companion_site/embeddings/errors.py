"""What can be wrong with an embedder. No message holds what was to be embedded."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError


class EmbeddingError(CompanionError):
    """A text has no vector now: it is compared by its words alone."""

    code = "embeddings.error"
    message = _("This cannot be compared by meaning just now.")


class EmbedderUnavailable(EmbeddingError):
    """The bundled model cannot run on this machine."""

    code = "embeddings.unavailable"
    message = _(
        "The bundled embedding model needs a processor with AVX2 and FMA, which this machine lacks. "
        "Run Companion on another machine, or set up an external embedding service."
    )


class EmbeddingServiceUnavailable(EmbeddingError):
    """The embedding service gave no answer, or is left alone for a while because it gave none before."""

    code = "embeddings.service-unavailable"
    message = _("The embedding service cannot be reached just now.")
    retryable = True


class EmbeddingsRejected(EmbeddingError):
    """The service will not take this request, this key or this model.

    Attributes:
        is_about_texts: another text might have been taken.
    """

    code = "embeddings.rejected"
    message = _("The embedding service did not accept the request.")

    def __init__(self, *, answered: int | None = None) -> None:
        super().__init__()
        self.is_about_texts = answered in {400, 413, 422}


REASONS = {
    "form": _("The embedding service answered in a form that cannot be read."),
    "count": _("The embedding service answered with another number of vectors than texts."),
    "dimension": _("The embedding service's vectors are of another length than EMBEDDINGS_DIMENSION says."),
    "numbers": _("The embedding service's vectors hold what is no number, or nothing but zeros."),
}


class EmbeddingsUnusable(EmbeddingError):
    """The service answered, but not with vectors that can be compared; nothing of the answer is used.

    Attributes:
        reason: a key of `REASONS`.
    """

    code = "embeddings.unusable"

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason
