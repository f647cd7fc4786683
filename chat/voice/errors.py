"""What can go wrong between a page and the voice, and how the page is told of it."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError
from companion_site.voice.errors import VoiceError


def told(error: CompanionError) -> dict[str, object]:
    """Return a refusal as its JSON."""
    return {"error": error.code, "message": str(error), "retryable": error.retryable}


class TooManyRequests(VoiceError):
    code = "voice.too-many"
    message = _("That is more than the companion can listen to. Please wait a moment.")
    status = 429
    retryable = True

    def __init__(self, *, retry_after_s: float) -> None:
        super().__init__()
        self.retry_after_s = retry_after_s


class SentenceNotYet(VoiceError):
    code = "voice.not-yet"
    message = _("This sentence has not been written yet.")
    status = 202
    retryable = True
