"""The one gateway of this process, built from the settings."""

import functools
import logging
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from companion_site.llm.chain import Gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.scrubbing.policy import is_on_this_machine, parse_kinds
from companion_site.llm.sdks import silence_sdk_logs
from companion_site.llm.services import keep_call
from companion_site.llm.types import Limits, LlmRole

logger = logging.getLogger(__name__)


PROVIDERS = {
    "anthropic": "companion_site.llm.anthropic.AnthropicProvider",
    "openai": "companion_site.llm.openai.OpenAIProvider",
}


@dataclass(frozen=True, kw_only=True)
class Account:
    """What the settings say of a provider.

    Attributes:
        base_url: "" for the provider's own.
        models: of which one plays both roles where the other is not named.
        missing: the settings without which it is left out.
    """

    api_key: str
    base_url: str
    models: dict[LlmRole, str]
    missing: tuple[str, ...]


def read_account(name: str) -> Account:
    """Return what the settings say of the provider of this name."""
    if name == "anthropic":
        key, address = settings.ANTHROPIC_API_KEY, settings.ANTHROPIC_BASE_URL
        chat, fast = settings.ANTHROPIC_CHAT_MODEL, settings.ANTHROPIC_FAST_MODEL
    else:
        key, address = settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL
        chat, fast = settings.OPENAI_CHAT_MODEL, settings.OPENAI_FAST_MODEL
    # A server of one's own may need no key.
    is_open = bool(key or (name == "openai" and address))
    given = {"API_KEY": is_open, "CHAT_MODEL": bool(chat or fast)}
    return Account(
        api_key=key,
        base_url=address,
        models={"chat": chat or fast, "fast": fast or chat},
        missing=tuple(f"{name.upper()}_{field}" for field, is_there in given.items() if not is_there),
    )


@functools.cache
def get_gateway() -> Gateway:
    """Return the gateway; providers without a key or an address are left out, and `offline` always ends the chain."""
    silence_sdk_logs()
    limits = limits_from_settings()
    made = [make_provider(name, limits) for name in settings.LLM_CHAIN if name != OfflineCompanion.name]
    return Gateway(
        [provider for provider in made if provider is not None],
        offline=OfflineCompanion(),
        limits=limits,
        record=keep_call,
    )


def make_provider(name: str, limits: Limits) -> Provider | None:
    """Return the provider of this name as it is asked, or None where its settings do not suffice."""
    account = read_account(name)
    if account.missing:
        if account.api_key or account.base_url:
            logger.warning("%s is not set, so this provider is left out", account.missing[0])
        return None
    # Each SDK takes a second to load, and what knows numbers a fifth of one: every command and worker starts without.
    kind = import_string(PROVIDERS[name])
    address = {"base_url": account.base_url} if account.base_url else {}
    sees = name in settings.LLM_PICTURES
    return _scrubbing(
        kind(api_key=account.api_key, models=account.models, limits=limits, sees=sees, **address)
    )


def forget_gateway(*, setting: str, **kwargs: Any) -> None:
    """Have the gateway built anew after one of its settings changed (Django's `setting_changed`)."""
    if setting.startswith(("LLM_", "ANTHROPIC_", "OPENAI_")):
        get_gateway.cache_clear()


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


def _scrubbing(provider: Provider) -> Provider:
    """Return the provider without the personal data that the settings keep back; on this machine nothing need be."""
    kinds = parse_kinds(settings.LLM_SCRUB)
    is_local = is_on_this_machine(getattr(settings, f"{provider.name.upper()}_BASE_URL"))
    if not kinds or (is_local and not settings.LLM_SCRUB_LOCAL):
        return provider
    from companion_site.llm.scrubbing.provider import ScrubbingProvider

    return ScrubbingProvider(provider, kinds=kinds)
