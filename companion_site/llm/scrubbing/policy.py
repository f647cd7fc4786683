"""What is kept back from whom: the kinds of personal data, and whether what is sent leaves this machine."""

import ipaddress
from collections.abc import Iterable
from enum import StrEnum
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Kind(StrEnum):
    """A kind, as the setting and the placeholder call it; where two fit a place equally, the earlier one is meant."""

    PERSONAL_NUMBER = "personal_number"
    IBAN = "iban"
    CARD = "card"
    EMAIL = "email"
    PHONE = "phone"

    @property
    def label(self) -> str:
        """How the placeholder calls it."""
        return self.value.upper().replace("_", "-")


#: What people call each kind.
SHOWN: dict[Kind, str | Promise] = {
    Kind.EMAIL: gettext_lazy("e-mail addresses"),
    Kind.PHONE: gettext_lazy("phone numbers"),
    Kind.PERSONAL_NUMBER: gettext_lazy("personal identity numbers"),
    Kind.IBAN: gettext_lazy("account numbers"),
    Kind.CARD: gettext_lazy("card numbers"),
}
#: Says that nothing is kept back.
NONE = "none"


def parse_kinds(words: Iterable[str]) -> frozenset[Kind]:
    """Return the kinds that `words` name; `none` stands alone.

    Raises:
        ValueError: a word that names no kind. A typing error must not let out what was to be kept back.
    """
    named = {word.strip().casefold() for word in words}
    if named == {NONE}:
        return frozenset()
    unknown = sorted(named - set(Kind))
    if unknown:
        raise ValueError(f"LLM_SCRUB names {unknown[0]!r}; known are {', '.join(Kind)}, or {NONE} alone")
    return frozenset(map(Kind, named))


def kinds_kept_from(url: str) -> frozenset[Kind]:
    """Return the kinds that the settings keep back from whoever is asked at this address; on this machine nothing need be.

    Raises:
        ValueError: as `parse_kinds`.
    """
    kinds = parse_kinds(settings.LLM_SCRUB)
    return frozenset() if is_on_this_machine(url) and not settings.LLM_SCRUB_LOCAL else kinds


def is_on_this_machine(url: str) -> bool:
    """Say whether `url` names this machine itself: localhost, or an address of the loopback interface."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
