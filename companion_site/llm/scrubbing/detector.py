"""Personal data in a text: e-mail addresses, and the numbers of persons, accounts, cards and telephones.

Every place is found once, whichever kinds it could be.
"""

import re
import sys
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache

from phonenumbers import NumberParseException, PhoneNumberFormat, format_number, is_valid_number, parse
from stdnum import iban, luhn, numdb
from stdnum.exceptions import ValidationError
from stdnum.iso7064 import mod_97_10
from stdnum.se import personnummer

from companion_site.llm.scrubbing.policy import Kind

#: Where a number begins behind another one: a comma or a slash parts two of a list when what stands before is longer
#: than the whole part of a decimal, by itself or as the last group of several.
NEXT_IN_LIST = "|".join([r"(?<=\d{6}[,/])", *(rf"(?<=\d[ +-]\d{{{count}}}[,/])" for count in (2, 3, 4))])


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a text that holds personal data.

    Attributes:
        start, end: in characters, the end excluded.
        value: the same for every way to write the same value; never shown.
    """

    kind: Kind
    start: int
    end: int
    value: str = field(repr=False)


_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_SPACES = "\t\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"


def _make_folds() -> dict[int, str]:
    digits = (code for code in range(128, sys.maxunicode + 1) if chr(code).isdecimal())
    table = {code: str(unicodedata.decimal(chr(code))) for code in digits}
    return (
        table | dict.fromkeys(map(ord, _DASHES), "-") | dict.fromkeys(map(ord, _SPACES), " ") | {0xFF0B: "+"}
    )


_FOLDS = _make_folds()
_FOLDED = frozenset(map(chr, _FOLDS))
#: A line's end or a tab as JSON writes it: its letter is no part of what stands behind it.
_ESCAPED = re.compile(r"\\[bfnrt]")


def fold_marks(text: str) -> str:
    """Return `text`, as long as it was, with every decimal digit, dash and space within a line as ASCII has it.

    Each character keeps its place, so that a span of the one is a span of the other.
    """
    for mark in _FOLDED.intersection(text):
        text = text.replace(mark, _FOLDS[ord(mark)])
    return text


#: RFC 5321 allows more signs; these are in use, and the rest stands beside addresses more often than in them.
_NAME_SIGNS = frozenset("._%+-'")
_NAME_ENDS = frozenset("_+-")
#: Labels with a dot after each, then letters: versions (react@18.2.0) and hosts without a dot are none.
_DOMAIN = re.compile(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?:xn--[a-z0-9-]{2,59}|[^\W\d_]{2,63})", re.IGNORECASE
)


def find_emails(text: str) -> Iterator[Place]:
    """Yield each address in `text`, in order.

    The kept libraries validate an address or split a header; none finds addresses in prose. So the search is ours: from each @
    leftwards over what a name may hold, rightwards over a domain. Neither side can pass another @, so no character is looked
    at more than twice, however long the text.
    """
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
    """Yield each Swedish personal or coordination number in `text`, whose digits and dashes are ASCII.

    An organisation number is found where it is a person's: that of a sole trader is their personal number, also within a VAT
    number. A company's has a third digit above any month's, so it is none.
    """
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


_IBAN_HEAD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d\d(?=[ -]?[A-Za-z0-9])")
_IBAN_FIELD = re.compile(r"(\d+)!")


def find_ibans(text: str) -> Iterator[Place]:
    """Yield each international account number in `text`, in one piece or in groups of four; digits and dashes are ASCII."""
    for head in _IBAN_HEAD.finditer(text):
        length = _iban_length(head[0][:2].upper())
        end = _iban_end(text, head.end(), length - len(head[0])) if length else None
        if end and _is_iban(number := iban.compact(text[head.start() : end])):
            yield Place(Kind.IBAN, head.start(), end, number)


@cache
def _iban_length(country: str) -> int:
    """Return how many characters a number of `country` (two letters) has, 0 where there are none."""
    bban = next((info.get("bban", "") for _, info in numdb.get("iban").info(country)), "")
    return len("CC99") + sum(map(int, _IBAN_FIELD.findall(bban))) if bban else 0


def _iban_end(text: str, start: int, count: int) -> int | None:
    """Return where `count` more characters end, one separator before each allowed, if a word ends there too."""
    rest = re.compile(rf"(?:[ -]?[A-Za-z0-9]){{{count}}}(?![A-Za-z0-9])").match(text, start)
    return rest.end() if rest else None


def _is_iban(number: str) -> bool:
    """Say whether the check digits hold, asked first because it is soonest done, and the country's form."""
    return bool(mod_97_10.is_valid(number[4:] + number[:4]) and iban.is_valid(number, check_country=False))


#: In one piece, in fours (the last group shorter or longer), or as American Express and Diners Club print theirs.
#: Looked ahead at, so that a group which begins no card does not hide the one behind it.
_CARD = re.compile(
    rf"(?<!\d)(?:(?<!\d[.,])|{NEXT_IN_LIST})(?=("
    r"\d{13,19}(?!\d)"
    r"|\d{4}([ -])\d{4}\2\d{4}\2\d{4}(?:\2\d{1,3})?(?!\d)"
    r"|\d{4}([ -])\d{4}\3\d{4}\3\d{1,3}(?!\d)"
    r"|\d{4}([ -])\d{6}\4\d{4,5}(?!\d)"
    r"))"
)
#: Source: the card schemes' published ranges. ISO/IEC 7812 sets the form, its register is closed.
_CARD_ISSUED = re.compile(
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
    """Yield each card number in `text`: a length and a beginning that are issued, and Luhn's check digit.

    Digits and dashes are ASCII; a trailing group may be something else.
    """
    for match in _CARD.finditer(text):
        for written in _card_readings(match[1]):
            digits = re.sub(r"\D", "", written)
            if _CARD_ISSUED.fullmatch(digits) and luhn.is_valid(digits):
                yield Place(Kind.CARD, match.start(), match.start() + len(written), digits)
                break


def _card_readings(written: str) -> Iterator[str]:
    """Yield the number as written, and without its fifth group, which may be the code on the back."""
    yield written
    groups = re.split(r"[ -]", written)
    if len(groups) > 4:
        yield written[: -len(groups[-1]) - 1]


_PHONE_HOME = "SE"
#: The last part never gives back what it took, so a place is read once.
_DIALLED = re.compile(
    rf"(?<!\w)(?:(?<!\d[.,])|{NEXT_IN_LIST}|(?<=,)(?=\+|\d{{2,4}}-))"
    r"\(?(?:\+ ?[1-9]|00 ?[1-9]|0(?:8|[1-79]\d))(?:[ ()./-]{0,2}\d){4,15}+"
)
_DIGITS_AT_LEAST, _DIGITS_AT_HOME = 7, 11
#: What has a number's digits but is something else: a day with its year, a span of time, zeros and ones, a decimal.
_NO_PHONE = re.compile(
    r"\d{1,2}[-./ ]\d{1,2}[-./ ]+(?:19|20)\d\d"
    r"|[012]?\d[.]?[0-5]\d ?- ?[012]?\d[.]?[0-5]\d"
    r"|[01 ]+"
    r"|\d+\.\d+"
)


def find_phones(text: str) -> Iterator[Place]:
    """Yield each telephone number in `text`: Swedish ones as dialled in Sweden, others with their country code.

    The library decides what is a number. Its own search over a text passes over a number with another number behind it, and is
    slow on sums and tables; so it is asked only about what begins as one is dialled: with a plus, with 00, or with the 0
    of a Swedish area code (08, or three digits). Digits, dashes and spaces are ASCII; of several ends that would do, the last.
    """
    known: dict[str, str] = {}
    at = 0
    while start := _DIALLED.search(text, at):
        at = start.start() + 1
        for end in _phone_ends(text, start):
            written = text[start.start() : end]
            if not _NO_PHONE.fullmatch(written) and (value := _phone_value(written, known)):
                unclosed = written.startswith("(") and ")" not in written
                yield Place(Kind.PHONE, start.start() + unclosed, end, value)
                at = end
                break


def _phone_ends(text: str, start: re.Match[str]) -> list[int]:
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


def _phone_value(written: str, known: dict[str, str]) -> str:
    """Return the number in its international form, "" when it is none; `known` keeps answers for one text."""
    dialled = re.sub(r"[^\d+]", "", written.replace("(0)", ""))
    if dialled not in known:
        try:
            number = parse(dialled, _PHONE_HOME)
        except NumberParseException:
            known[dialled] = ""
        else:
            is_valid = is_valid_number(number)
            known[dialled] = format_number(number, PhoneNumberFormat.E164) if is_valid else ""
    return known[dialled]


_RANK = {kind: rank for rank, kind in enumerate(Kind)}


def find_places(text: str, kinds: Collection[Kind]) -> list[Place]:
    """Return where data of `kinds` stands in `text`, in order and apart from each other.

    All kinds are looked for, so that what is a personal number is not a telephone number because the former may be sent.
    """
    return [place for place in _settle(_find_all(text)) if place.kind in kinds]


def _find_all(text: str) -> Iterator[Place]:
    # As long as it was, with the end of a line where JSON, in which data travels, has its escape.
    text = _ESCAPED.sub("\n\n", text)
    yield from find_emails(text)
    folded = fold_marks(text)
    yield from find_personal_numbers(folded)
    yield from find_ibans(folded)
    yield from find_cards(folded)
    yield from find_phones(folded)


def _settle(places: Iterator[Place]) -> Iterator[Place]:
    """Yield one place for each group that overlaps: the kind of the longest, over all that any of them covers."""
    group: list[Place] = []
    end = 0
    for place in sorted(places, key=lambda place: place.start):
        if group and place.start >= end:
            yield _join(group)
            group = []
        group.append(place)
        end = max(end, place.end)
    if group:
        yield _join(group)


def _join(group: list[Place]) -> Place:
    longest = max(group, key=lambda place: (place.end - place.start, -_RANK[place.kind]))
    start, end = group[0].start, max(place.end for place in group)
    if (longest.start, longest.end) == (start, end):
        return longest
    return Place(longest.kind, start, end, "/".join(place.value for place in group))
