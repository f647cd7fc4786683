"""International bank account numbers, in one piece or in groups of four."""

import re
from collections.abc import Iterator
from functools import cache

from stdnum import iban, numdb
from stdnum.iso7064 import mod_97_10

from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.places import Place

_HEAD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d\d(?=[ -]?[A-Za-z0-9])")
_FIELD = re.compile(r"(\d+)!")


def find_ibans(text: str) -> Iterator[Place]:
    """Yield each account number in `text`, whose digits and dashes are ASCII."""
    for head in _HEAD.finditer(text):
        length = _length_in(head[0][:2].upper())
        end = _end_of(text, head.end(), length - len(head[0])) if length else None
        if end and _is_iban(number := iban.compact(text[head.start() : end])):
            yield Place(Kind.IBAN, head.start(), end, number)


@cache
def _length_in(country: str) -> int:
    """Return how many characters a number of `country` (two letters) has, 0 where there are none."""
    bban = next((info.get("bban", "") for _, info in numdb.get("iban").info(country)), "")
    return len("CC99") + sum(map(int, _FIELD.findall(bban))) if bban else 0


def _end_of(text: str, start: int, count: int) -> int | None:
    """Return where `count` more characters end, one separator before each allowed, if a word ends there too."""
    rest = re.compile(rf"(?:[ -]?[A-Za-z0-9]){{{count}}}(?![A-Za-z0-9])").match(text, start)
    return rest.end() if rest else None


def _is_iban(number: str) -> bool:
    """Say whether the check digits hold, asked first because it is soonest done, and the country's form."""
    return bool(mod_97_10.is_valid(number[4:] + number[:4]) and iban.is_valid(number, check_country=False))
