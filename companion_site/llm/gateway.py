"""The one gateway of this process, built from the settings, and the checks of these."""

import functools
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from companion_site.llm.chain import Gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.scrubbing.policy import SHOWN, is_on_this_machine, kinds_kept_from, parse_kinds
from companion_site.llm.services import keep_call
from companion_site.llm.types import Limits, LlmRole

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Known:
    """A provider that a site can name in LLM_CHAIN; its settings begin with that name.

    Attributes:
        path: what speaks with it; several may speak the same protocol.
        title: what people call it.
        address: where it is found when no other is set.
    """

    path: str
    title: str
    address: str


PROVIDERS = {
    "anthropic": Known(
        path="companion_site.llm.anthropic.AnthropicProvider",
        title="Anthropic",
        address="https://api.anthropic.com",
    ),
    "openai": Known(
        path="companion_site.llm.openai.OpenAIProvider",
        title="OpenAI",
        address="https://api.openai.com/v1",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Account:
    """What the settings say of a provider. Pages show it; its key and its whole address are for the provider alone.

    Attributes:
        base_url: the one that is set, "" for none; address: where it is asked.
        models: of which one plays both roles where the other is not named.
        missing: the settings without which it is left out; none where it is asked.
    """

    name: str
    api_key: str = field(repr=False)
    base_url: str = field(repr=False)
    address: str = field(repr=False)
    models: dict[LlmRole, str]
    missing: tuple[str, ...]

    @property
    def title(self) -> str:
        return PROVIDERS[self.name].title

    @property
    def lines(self) -> str:
        """The lines of `.env` that connect it."""
        return "\n".join(f"{name}=..." for name in self.missing)

    @property
    def wrong(self) -> str:
        """The setting of an address that is none; "" where it is one."""
        has_scheme = self.address.startswith(("http://", "https://"))
        return "" if has_scheme else f"{self.name.upper()}_BASE_URL"

    @property
    def host(self) -> str:
        """Where it is, without a name, a password or a path."""
        return urlsplit(self.address).netloc.rpartition("@")[2]

    @property
    def is_local(self) -> bool:
        return is_on_this_machine(self.address)

    @property
    def kept_back(self) -> list[str | Promise]:
        """The personal data that it is not told."""
        kinds = kinds_kept_from(self.address)
        return [shown for kind, shown in SHOWN.items() if kind in kinds]


def read_account(name: str) -> Account:
    """Return what the settings say of the provider of this name."""
    fields = ("API_KEY", "BASE_URL", "CHAT_MODEL", "FAST_MODEL")
    key, base_url, chat, fast = (getattr(settings, f"{name.upper()}_{field}") for field in fields)
    # A server of one's own that speaks OpenAI's protocol may need no key.
    is_open = bool(key or (base_url and PROVIDERS[name].path == PROVIDERS["openai"].path))
    given = {"API_KEY": is_open, "CHAT_MODEL": bool(chat or fast)}
    return Account(
        name=name,
        api_key=key,
        base_url=base_url,
        address=base_url or PROVIDERS[name].address,
        models={"chat": chat or fast, "fast": fast or chat},
        missing=tuple(f"{name.upper()}_{field}" for field, is_there in given.items() if not is_there),
    )


@functools.cache
def get_gateway() -> Gateway:
    """Return the gateway; providers without a key or an address are left out, and `offline` always ends the chain."""
    limits = limits_from_settings()
    made = [make_provider(name, limits) for name in settings.LLM_CHAIN if name != OfflineCompanion.name]
    return Gateway(
        [provider for provider in made if provider is not None],
        offline=OfflineCompanion(),
        limits=limits,
        record=keep_call,
    )


def make_provider(name: str, limits: Limits) -> Provider | None:
    """Return the provider of this name as it is asked, told no personal data that is kept back; None where its settings do not suffice."""
    account = read_account(name)
    if account.missing:
        if account.api_key or account.base_url:
            logger.warning("%s is not set, so this provider is left out", account.missing[0])
        return None
    # Each SDK takes a second to load, and what knows numbers a fifth of one: every command and worker starts without.
    provider: Provider = import_string(PROVIDERS[name].path)(
        api_key=account.api_key,
        models=account.models,
        limits=limits,
        sees=name in settings.LLM_PICTURES,
        base_url=account.address,
    )
    # Calls are counted, and a provider that fails is left alone, by this name.
    provider.name = name
    kinds = kinds_kept_from(account.address)
    if not kinds:
        return provider
    from companion_site.llm.scrubbing.provider import ScrubbingProvider

    return ScrubbingProvider(provider, kinds=kinds)


def forget_gateway(*, setting: str, **kwargs: Any) -> None:
    """Have the gateway built anew after one of its settings changed (Django's `setting_changed`)."""
    if setting.startswith(("LLM_", *(f"{name.upper()}_" for name in PROVIDERS))):
        get_gateway.cache_clear()


def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each provider that is named and unknown, each address that does not begin as one, and a kind of data that nobody looks for."""
    chain, seeing = {*PROVIDERS, OfflineCompanion.name}, {*PROVIDERS, "none"}
    found: list[CheckMessage] = [
        Error(f"{setting} names {name!r}; known are {', '.join(sorted(known))}.", id=f"llm.{code}")
        for setting, known, code in (("LLM_CHAIN", chain, "E001"), ("LLM_PICTURES", seeing, "E006"))
        for name in getattr(settings, setting)
        if name not in known
    ]
    # An address may hold a password, so it is not repeated.
    wrong = filter(None, (read_account(name).wrong for name in PROVIDERS))
    found += [Error(f"{setting} has to begin with http:// or https://.", id="llm.E005") for setting in wrong]
    try:
        parse_kinds(settings.LLM_SCRUB)
    except ValueError as error:
        found.append(Error(f"{error}.", id="llm.E002"))
    return found


def limits_from_settings() -> Limits:
    """Return the bounds of a call; no part of it is given longer than the whole."""
    total_s = settings.LLM_TIMEOUT_S
    return Limits(
        total_s=total_s,
        connect_s=min(settings.LLM_CONNECT_TIMEOUT_S, total_s),
        first_token_s=min(settings.LLM_FIRST_TOKEN_TIMEOUT_S, total_s),
        between_tokens_s=min(settings.LLM_BETWEEN_TOKENS_TIMEOUT_S, total_s),
        extract_s=min(settings.LLM_EXTRACT_TIMEOUT_S, total_s),
        max_input_tokens=settings.LLM_MAX_INPUT_TOKENS,
        max_reply_chars=settings.LLM_MAX_REPLY_CHARS,
        max_reply_tokens=settings.LLM_MAX_REPLY_TOKENS,
    )
