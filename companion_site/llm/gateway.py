"""The one gateway of this process, built from the settings."""

import functools
import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings

from companion_site.llm.chain import Gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.scrubbing.policy import is_on_this_machine, parse_kinds
from companion_site.llm.sdks import silence_sdk_logs
from companion_site.llm.services import keep_call
from companion_site.llm.types import Limits

logger = logging.getLogger(__name__)


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
    provider = PROVIDERS[name](limits)
    return None if provider is None else _scrubbing(provider)


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


# Each SDK takes a second to load, and what knows numbers a fifth of one, so they are loaded where they are used: every
# command and worker starts without.


def _scrubbing(provider: Provider) -> Provider:
    """Return the provider without the personal data that the settings keep back; on this machine nothing need be."""
    kinds = parse_kinds(settings.LLM_SCRUB)
    is_local = is_on_this_machine(getattr(settings, f"{provider.name.upper()}_BASE_URL"))
    if not kinds or (is_local and not settings.LLM_SCRUB_LOCAL):
        return provider
    from companion_site.llm.scrubbing.provider import ScrubbingProvider

    return ScrubbingProvider(provider, kinds=kinds)


def _anthropic(limits: Limits) -> Provider | None:
    if not settings.ANTHROPIC_API_KEY:
        return None
    from companion_site.llm import anthropic as anthropic_adapter

    return anthropic_adapter.AnthropicProvider(
        api_key=settings.ANTHROPIC_API_KEY,
        base_url=settings.ANTHROPIC_BASE_URL or anthropic_adapter.DEFAULT_BASE_URL,
        models={"chat": settings.ANTHROPIC_CHAT_MODEL, "fast": settings.ANTHROPIC_FAST_MODEL},
        limits=limits,
        sees="anthropic" in settings.LLM_PICTURES,
    )


def _openai(limits: Limits) -> Provider | None:
    if not (settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL):
        return None
    chat_model = settings.OPENAI_CHAT_MODEL or settings.OPENAI_FAST_MODEL
    if not chat_model:
        logger.warning("OPENAI_CHAT_MODEL is not set, so this provider is left out")
        return None
    from companion_site.llm import openai as openai_adapter

    return openai_adapter.OpenAIProvider(
        api_key=settings.OPENAI_API_KEY,
        base_url=settings.OPENAI_BASE_URL or openai_adapter.DEFAULT_BASE_URL,
        models={"chat": chat_model, "fast": settings.OPENAI_FAST_MODEL or chat_model},
        limits=limits,
        sees="openai" in settings.LLM_PICTURES,
    )


PROVIDERS: dict[str, Callable[[Limits], Provider | None]] = {"anthropic": _anthropic, "openai": _openai}
