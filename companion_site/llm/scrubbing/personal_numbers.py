"""Swedish personal numbers and coordination numbers, with their check digit.

An organisation number is found where it is a person's: that of a sole trader is their personal number, also within a VAT
number. A company's has a third digit above any month's, so it is none.
"""

import re
from collections.abc import Iterator

from stdnum import luhn
from stdnum.exceptions import ValidationError
from stdnum.se import personnummer

from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.places import NEXT_IN_LIST, Place

_DAY_OF_COORDINATION = 60
#: A number with its sign is nobody's decimals, whatever stands before the comma.
_ALONE_BEFORE = rf"(?<!\d)(?:(?<!\d[-+.,/])|{NEXT_IN_LIST}|(?<=[,/])(?=[\d. -]{{6,10}}[-+]))"
_ALONE_AFTER = r"(?!\d)(?![-.]\d)"
_CENTURY = r"(?P<century>18|19|20)?"
_DATE_AND_REST = re.compile(
    rf"{_ALONE_BEFORE}{_CENTURY}(?P<date>\d{{6}})(?: ?(?P<sign>[-+]) ?| )?(?P<rest>\d{{4}}){_ALONE_AFTER}"
)
_DOTTED = re.compile(
    rf"{_ALONE_BEFORE}{_CENTURY}(?P<date>\d\d(?P<between>[-. ])\d\d(?P=between)\d\d)(?P<sign>[-+])(?P<rest>\d{{4}})"
    + _ALONE_AFTER
)
_VAT = re.compile(r"(?<!\w)SE ?(?P<date>\d{6})-?(?P<rest>\d{4}) ?01(?!\d)", re.IGNORECASE)


def find_personal_numbers(text: str) -> Iterator[Place]:
    """Yield each number in `text`, whose digits and dashes are ASCII."""
    for pattern in (_DATE_AND_REST, _DOTTED, _VAT):
        for match in pattern.finditer(text):
            given = match.groupdict()
            date, sign = re.sub(r"\D", "", given["date"]), given.get("sign") or "-"
            value = f"{given.get('century') or ''}{date}{sign}{given['rest']}"
            if is_personal_number(value):
                yield Place(Kind.PERSONAL_NUMBER, match.start(), match.end(), value)


def is_personal_number(number: str) -> bool:
    """Say whether `number`, a date of six or eight digits, a sign and four digits, is one.

    The day of a coordination number is 60 more than that of birth, and its check digit is over that greater day
    (Skatteverket, SKV 704); the library knows the day of birth alone.
    """
    date, rest = number[:-5], number[-5:]
    day = int(date[-2:])
    if day > _DAY_OF_COORDINATION:
        day -= _DAY_OF_COORDINATION
    try:
        personnummer.get_birth_date(f"{date[:-2]}{day:02}{rest}")
    except ValidationError:
        return False
    return bool(luhn.is_valid(date[-6:] + rest[1:]))
