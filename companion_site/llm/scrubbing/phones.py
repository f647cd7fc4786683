"""Telephone numbers: Swedish ones as dialled in Sweden, others with their country code.

The library decides what is a number. Its own search over a text passes over a number with another number behind it, and is
slow on sums and tables; so it is asked only about what begins as one is dialled: with a plus, with 00, or with the 0
of a Swedish area code (08, or three digits).
"""

import re
from collections.abc import Iterator

from phonenumbers import NumberParseException, PhoneNumberFormat, format_number, is_valid_number, parse

from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.places import NEXT_IN_LIST, Place

_HOME = "SE"
#: The last part never gives back what it took, so a place is read once.
_DIALLED = re.compile(
    rf"(?<!\w)(?:(?<!\d[.,])|{NEXT_IN_LIST}|(?<=,)(?=\+|\d{{2,4}}-))"
    r"\(?(?:\+ ?[1-9]|00 ?[1-9]|0(?:8|[1-79]\d))(?:[ ()./-]{0,2}\d){4,15}+"
)
_DIGITS_AT_LEAST, _DIGITS_AT_HOME = 7, 11
#: What has a number's digits but is something else: a day with its year, a span of time, zeros and ones, a decimal.
_NO_NUMBER = re.compile(
    r"\d{1,2}[-./ ]\d{1,2}[-./ ]+(?:19|20)\d\d"
    r"|[012]?\d[.]?[0-5]\d ?- ?[012]?\d[.]?[0-5]\d"
    r"|[01 ]+"
    r"|\d+\.\d+"
)


def find_phones(text: str) -> Iterator[Place]:
    """Yield each number in `text`, whose digits, dashes and spaces are ASCII; of several ends that would do, the last."""
    known: dict[str, str] = {}
    at = 0
    while start := _DIALLED.search(text, at):
        at = start.start() + 1
        for end in _ends(text, start):
            written = text[start.start() : end]
            if not _NO_NUMBER.fullmatch(written) and (value := _value_of(written, known)):
                unclosed = written.startswith("(") and ")" not in written
                yield Place(Kind.PHONE, start.start() + unclosed, end, value)
                at = end
                break


def _ends(text: str, start: re.Match[str]) -> list[int]:
    """Return where a number that begins there may end, after any group of digits, the last first."""
    ends, digits = [], 0
    is_foreign = start[0].lstrip("(").startswith(("+", "00"))
    for at in range(start.start(), start.end()):
        digits += text[at].isdigit()
        if text[at].isdigit() and not text[at + 1 : at + 2].isdigit() and digits >= _DIGITS_AT_LEAST:
            ends.append(at + 1)
        if digits >= _DIGITS_AT_HOME and not is_foreign:
            break
    return ends[::-1]


def _value_of(written: str, known: dict[str, str]) -> str:
    """Return the number in its international form, "" when it is none; `known` keeps answers for one text."""
    dialled = re.sub(r"[^\d+]", "", written.replace("(0)", ""))
    if dialled not in known:
        try:
            number = parse(dialled, _HOME)
        except NumberParseException:
            known[dialled] = ""
        else:
            is_valid = is_valid_number(number)
            known[dialled] = format_number(number, PhoneNumberFormat.E164) if is_valid else ""
    return known[dialled]
