"""E-mail addresses.

The kept libraries validate an address or split a header; none finds addresses in prose. So the search is ours: from each @
leftwards over what a name may hold, rightwards over a domain. Neither side can pass another @, so no character is looked
at more than twice, however long the text.
"""

import re
from collections.abc import Iterator

from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.places import Place

#: RFC 5321 allows more signs; these are in use, and the rest stands beside addresses more often than in them.
_NAME_SIGNS = frozenset("._%+-'")
_NAME_ENDS = frozenset("_+-")
#: Labels with a dot after each, then letters: versions (react@18.2.0) and hosts without a dot are none.
_DOMAIN = re.compile(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?:xn--[a-z0-9-]{2,59}|[^\W\d_]{2,63})", re.IGNORECASE
)


def find_emails(text: str) -> Iterator[Place]:
    """Yield each address in `text`, in order."""
    at = text.find("@")
    while at >= 0:
        start = _start_of_name(text, at)
        domain = _DOMAIN.match(text, at + 1) if start < at else None
        if domain:
            yield Place(Kind.EMAIL, start, domain.end(), text[start : domain.end()].casefold())
        at = text.find("@", at + 1)


def _start_of_name(text: str, at: int) -> int:
    """Return where the name before the @ begins, or `at` when there is none."""
    if not at or not (text[at - 1].isalnum() or text[at - 1] in _NAME_ENDS):
        return at
    start = at
    while start and (text[start - 1].isalnum() or text[start - 1] in _NAME_SIGNS):
        start -= 1
    while start < at and not text[start].isalnum():
        start += 1
    return start
