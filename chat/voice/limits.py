"""How often somebody may ask for something: enough for anybody who speaks, too little for a loop; and how the page is told of a refusal."""

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from companion_site.accounts import limits
from companion_site.accounts.limits import Limit
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


#: In a minute: recordings; looks at a recording under way; sentences, of which a long reply has a hundred.
RECORDINGS = Limit(name="voice, recordings", most=30)
PARTIALS = Limit(name="voice, partials", most=60)
SENTENCES = Limit(name="voice, sentences", most=240)


def count_request(person: UUID, limit: Limit, *, now: datetime) -> None:
    """Count one request.

    Raises:
        TooManyRequests: it is one too many; says when the next may come.
    """
    wait = limits.count([limit.of(str(person))], now=now)
    if wait is not None:
        raise TooManyRequests(retry_after_s=wait.total_seconds())
