"""Numbers of payment cards: a length and a beginning that are issued, and Luhn's check digit."""

import re
from collections.abc import Iterator

from stdnum import luhn

from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.places import NEXT_IN_LIST, Place

#: In one piece, in fours (the last group shorter or longer), or as American Express and Diners Club print theirs.
#: Looked ahead at, so that a group which begins no card does not hide the one behind it.
_WRITTEN = re.compile(
    rf"(?<!\d)(?:(?<!\d[.,])|{NEXT_IN_LIST})(?=("
    r"\d{13,19}(?!\d)"
    r"|\d{4}([ -])\d{4}\2\d{4}\2\d{4}(?:\2\d{1,3})?(?!\d)"
    r"|\d{4}([ -])\d{4}\3\d{4}\3\d{1,3}(?!\d)"
    r"|\d{4}([ -])\d{6}\4\d{4,5}(?!\d)"
    r"))"
)
#: Source: the card schemes' published ranges. ISO/IEC 7812 sets the form, its register is closed.
_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|3(?:0[0-5]|095|[68]\d|9\d)\d{11}"  # Diners Club
    r"|(?:6011|64[4-9]\d|65\d{2})\d{12,15}"  # Discover
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"  # JCB
    r"|62\d{14,17}"  # UnionPay
    r"|(?:5018|5019|5020|5038|5893|6304|6759|676[1-3])\d{9,15}"  # Maestro, Dankort
    r"|220[0-4]\d{12}"  # Mir
)


def find_cards(text: str) -> Iterator[Place]:
    """Yield each card number in `text`, whose digits and dashes are ASCII; a trailing group may be something else."""
    for match in _WRITTEN.finditer(text):
        for written in _readings(match[1]):
            digits = re.sub(r"\D", "", written)
            if _ISSUED.fullmatch(digits) and luhn.is_valid(digits):
                yield Place(Kind.CARD, match.start(), match.start() + len(written), digits)
                break


def _readings(written: str) -> Iterator[str]:
    """Yield the number as written, and without its fifth group, which may be the code on the back."""
    yield written
    groups = re.split(r"[ -]", written)
    if len(groups) > 4:
        yield written[: -len(groups[-1]) - 1]
