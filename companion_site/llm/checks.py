"""What is wrong with the settings is said at start-up, not in the first reply."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error

from companion_site.llm.gateway import PROVIDERS
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.scrubbing.policy import parse_kinds


def check_chain(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each name in LLM_CHAIN or LLM_PICTURES that no provider bears."""
    chain, seeing = {*PROVIDERS, OfflineCompanion.name}, {*PROVIDERS, "none"}
    return [
        Error(f"{setting} names {name!r}; known are {', '.join(sorted(known))}.", id=f"llm.{code}")
        for setting, known, code in (("LLM_CHAIN", chain, "E001"), ("LLM_PICTURES", seeing, "E003"))
        for name in getattr(settings, setting)
        if name not in known
    ]


def check_scrubbing(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error when LLM_SCRUB names a kind of personal data that nobody looks for."""
    try:
        parse_kinds(settings.LLM_SCRUB)
    except ValueError as error:
        return [Error(f"{error}.", id="llm.E002")]
    return []
