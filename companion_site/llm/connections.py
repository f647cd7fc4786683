"""Who is asked in which order, what each of them is told, and whether it answers when it is tried."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
from companion_site.llm.gateway import PROVIDERS, limits_from_settings, read_account
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.scrubbing.policy import Kind, is_on_this_machine, kinds_kept_from
from companion_site.llm.services import keep_call
from companion_site.llm.types import CallRecord, ChatRequest, LlmRole, Utterance

#: What is asked when a connection is tried: nobody's words.
QUESTION = "Say hello in one short sentence."
PURPOSE = "connection.test"
KINDS = {
    Kind.EMAIL: gettext_lazy("e-mail addresses"),
    Kind.PHONE: gettext_lazy("phone numbers"),
    Kind.PERSONAL_NUMBER: gettext_lazy("personal identity numbers"),
    Kind.IBAN: gettext_lazy("account numbers"),
    Kind.CARD: gettext_lazy("card numbers"),
}


@dataclass(frozen=True, kw_only=True)
class Connection:
    """One place in the chain, without its key.

    Attributes:
        missing: the settings without which it is left out; none where it is asked.
        models: who replies, and who does the small work in the background.
        wrong: the setting of an address that is none; "" where it is one.
        host: where it is, without a name, a password or a path.
        kept_back: the personal data that it is not told.
    """

    name: str
    title: str
    missing: tuple[str, ...]
    models: tuple[tuple[LlmRole, str], ...]
    wrong: str
    host: str
    is_local: bool
    kept_back: tuple[str | Promise, ...]

    @property
    def lines(self) -> str:
        """The lines of `.env` that connect it."""
        return "\n".join(f"{name}=..." for name in self.missing)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """How a try went; `reason` is empty where it answered."""

    call: CallRecord
    reason: str


def list_connections() -> list[Connection]:
    """Return those who are asked before the companion without a model, in order."""
    names = [name for name in dict.fromkeys(settings.LLM_CHAIN) if name != OfflineCompanion.name]
    return [_connection(name) for name in names]


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


def _connection(name: str) -> Connection:
    account = read_account(name)
    kinds = kinds_kept_from(account.address)
    return Connection(
        name=name,
        title=PROVIDERS[name].title,
        missing=account.missing,
        models=tuple(account.models.items()),
        wrong=f"{name.upper()}_BASE_URL" if account.lacks_scheme else "",
        host=urlsplit(account.address).netloc.rpartition("@")[2],
        is_local=is_on_this_machine(account.address),
        kept_back=tuple(label for kind, label in KINDS.items() if kind in kinds),
    )
