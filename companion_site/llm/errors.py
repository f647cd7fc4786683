"""What can go wrong between us and a language model.

CompanionError
 └─ LanguageModelError
     ├─ ProviderUnavailable      the provider gave no answer; the next one is asked
     │   ├─ ProviderTimeout      it took too long
     │   ├─ RateLimited          it asked us to wait
     │   └─ RequestRejected      it will not take this request or this key: asking again is pointless
     ├─ MalformedOutput          it answered, but not in the form asked for
     ├─ ModelRefused             the model declined; nobody else is asked
     ├─ StreamInterrupted        the reply broke off after text had been given out
     │   └─ ReplyTooLong         it was longer than a reply may be
     └─ TokenCeilingPassed       the request is larger than this site allows; nothing was sent

No message holds content. A provider's own error text may quote the request, so it is dropped where it is caught.
"""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError
from companion_site.llm.types import Outcome, Repair


class LanguageModelError(CompanionError):
    """A language model did not answer.

    Attributes:
        provider, model: who was asked last to read data into a form; empty where nobody was.
    """

    provider = model = ""
    code = "llm.error"
    message = _("The language model could not answer.")
    outcome = Outcome.UNAVAILABLE


class ProviderUnavailable(LanguageModelError):
    """The provider failed before it gave out any text.

    Attributes:
        answered: the provider's HTTP status, None when there was none.
        transient: asking the same provider again may help.
        provider_at_fault: the failure says something about the provider, not only about this request.
    """

    code = "llm.unavailable"
    message = _("The language model cannot be reached just now.")
    retryable = True
    transient = True

    def __init__(self, *, answered: int | None = None) -> None:
        super().__init__()
        self.answered = answered

    @property
    def provider_at_fault(self) -> bool:
        return True


class ProviderTimeout(ProviderUnavailable):
    code = "llm.timeout"
    message = _("The language model took too long to answer.")
    outcome = Outcome.TIMEOUT


class RateLimited(ProviderUnavailable):
    code = "llm.rate-limited"
    message = _("The language model is busy. Please try again in a moment.")
    outcome = Outcome.RATE_LIMITED

    def __init__(self, *, retry_after_s: float | None = None) -> None:
        super().__init__(answered=429)
        self.retry_after_s = retry_after_s


class RequestRejected(ProviderUnavailable):
    code = "llm.rejected"
    message = _("The language model did not accept the request.")
    retryable = False
    transient = False

    @property
    def provider_at_fault(self) -> bool:
        """A bad key or a missing model fails every request; a bad request fails only itself."""
        return self.answered in {401, 402, 403, 404}


class MalformedOutput(LanguageModelError):
    """Carries what is needed to ask for a repair; the chain drops it before the error leaves the gateway."""

    code = "llm.malformed"
    message = _("The language model answered in a form that could not be read.")
    retryable = True
    outcome = Outcome.MALFORMED

    def __init__(self, repair: Repair | None = None) -> None:
        super().__init__()
        self.repair = repair


class ModelRefused(LanguageModelError):
    code = "llm.refused"
    message = _("The language model declined to answer this.")
    outcome = Outcome.REFUSED


class StreamInterrupted(LanguageModelError):
    code = "llm.interrupted"
    message = _("The reply broke off. What came through is kept, and you can ask again.")
    retryable = True
    outcome = Outcome.INTERRUPTED


class ReplyTooLong(StreamInterrupted):
    """The model went on beyond what is taken of a reply; its connection is closed."""

    code = "llm.reply-too-long"
    message = _("The reply was longer than a reply may be, and ends here. You can have it written again.")


class TokenCeilingPassed(LanguageModelError):
    code = "llm.too-long"
    message = _("This is more than the companion can read at once. Please shorten it.")
