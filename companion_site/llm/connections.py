"""Who is asked in which order, what each of them is told, and whether it answers when it is tried."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.translation import gettext as _

from companion_site.llm.chain import Gateway
from companion_site.llm.errors import (
    LanguageModelError,
    MalformedOutput,
    ModelRefused,
    ProviderTimeout,
    ProviderUnavailable,
    RateLimited,
    RequestRejected,
    StreamInterrupted,
)
from companion_site.llm.gateway import Account, limits_from_settings, read_account
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.services import keep_call
from companion_site.llm.types import CallRecord, ChatRequest, LlmRole, Utterance

#: What is asked when a connection is tried: nobody's words.
QUESTION = "Say hello in one short sentence."
PURPOSE = "connection.test"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """How a try went; `reason` is empty where it answered."""

    call: CallRecord
    reason: str


def list_connections() -> list[Account]:
    """Return those who are asked before the companion without a model, in order."""
    names = dict.fromkeys(settings.LLM_CHAIN)
    return [read_account(name) for name in names if name != OfflineCompanion.name]


async def try_provider(provider: Provider, *, role: LlmRole) -> Trial:
    """Ask once, as long as a reply would be waited for, and close what was opened for it."""
    calls: list[CallRecord] = []

    async def record(call: CallRecord) -> None:
        calls.append(call)
        await keep_call(call)

    limits = replace(limits_from_settings(), attempts=1, attempts_after_timeout=1)
    gateway = Gateway([provider], offline=None, limits=limits, record=record)
    request = ChatRequest(
        system="", context="", turns=[Utterance("user", QUESTION)], language="en", max_tokens=256
    )
    reason = ""
    try:
        async with gateway.stream(request, role=role, purpose=PURPOSE) as reply:
            async for _piece in reply:
                pass
    except LanguageModelError as error:
        reason = tell_reason(error)
    finally:
        await gateway.aclose()
    return Trial(call=calls[-1], reason=reason)


def tell_reason(error: LanguageModelError) -> str:
    """Return in plain words why nobody answered."""
    match error:
        case ProviderTimeout():
            return _("It did not answer in time.")
        case RateLimited():
            return _("It is too busy just now, or the account has used all that it may use.")
        case RequestRejected(answered=401 | 403):
            return _("It did not accept the key.")
        case RequestRejected(answered=402):
            return _("There is no money left on the account.")
        case RequestRejected(answered=404):
            return _("It does not know this model, or the address is wrong.")
        case ProviderUnavailable(answered=None):
            return _("No language model answers at this address.")
        case ProviderUnavailable():
            return _("It answered with an error (status %(status)s).") % {"status": error.answered}
        case MalformedOutput():
            return _("It answered, but said nothing.")
        case ModelRefused():
            return _("It is there, but did not want to answer.")
        case StreamInterrupted():
            return _("It broke off in the middle of its answer.")
    return str(error)
