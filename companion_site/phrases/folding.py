"""A text as it is compared: its letters and digits, folded, each with its place, and what stands between them."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from html import unescape
from urllib.parse import unquote

from companion_site.phrases.lookalikes import (
    BOXED,
    LEADING_SIGNS,
    LEET_SIGNS,
    RARE_LOOKALIKES,
    to_latin,
    to_skeleton,
)

#: Letters of their own in Swedish; every other accent is left out.
KEPT = frozenset("åäö")

_ENTITY = r"&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,24});"
_ENCODED = re.compile(rf"{_ENTITY}|(?:%[0-9a-fA-F]{{2}})+")
_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,200}>")
_LEET_SIGN = re.compile(r"[@$!|€£¡](?=\w)")
_INVISIBLE_CATEGORIES = frozenset(("Cf", "Cc", "Cs", "Mn", "Me", "Cn", "Co"))
_INVISIBLE_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_SPACES = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_MARKUP = frozenset("*_~`\\")
_HYPHENS = frozenset("-\u2010\u2011\u2012\u2013")
_STOPS = frozenset(".!?;:,|\u2026\u2014")
#: What the fog puts where nothing may be joined across; no phrase reaches over it.
BARRIER = "[\u2026]"
_WIDEST_GAP = 40


class Gap(IntEnum):
    """What stands between two letters, the closer the smaller."""

    NONE = 0  # nothing that can be seen
    BROKEN = 1  # a hyphen at a line's end
    MARKUP = 2
    HYPHEN = 3
    TIGHT = 4  # other signs, without white space
    SPACE = 5
    STOP = 6  # a sign that ends or divides a sentence, and white space
    BARRIER = 7


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a text of n letters and digits.

    Attributes:
        text: what was read.
        letters: n characters, as the matcher compares them.
        plain: n characters, folded without look-alikes.
        starts, ends: n places in `text` each.
        gaps: n; what stands before each letter.
        heads, tails: n; the first and last letter of the unbroken run that each is in.
    """

    text: str
    letters: str
    plain: str
    starts: list[int]
    ends: list[int]
    gaps: list[int]
    heads: list[int]
    tails: list[int]


class _Folds(dict[str, str]):
    """The folded letters of each character, none for what is no letter; made as they are asked for."""

    def __missing__(self, char: str) -> str:
        folded = "".join(map(_fold_letter, unicodedata.normalize("NFKC", char).casefold()))
        self[char] = folded
        return folded


def _fold_letter(char: str) -> str:
    if char in KEPT:
        return char
    bare = (part for part in unicodedata.normalize("NFKD", char) if part.isalnum())
    return "" if char in _INVISIBLE_LETTERS else "".join(bare)


_FOLDS = _Folds()


def fold(text: str) -> str:
    """Return the letters and digits of a text, folded."""
    return read_plain(text).plain


def read_plain(text: str) -> Reading:
    """Read a text as it stands: capitals, accents and invisible characters do not count, å ä ö do."""
    return _read(text, ((i, i + 1, char) for i, char in enumerate(text)), strict=False)


def read_strict(text: str) -> list[Reading]:
    """Read a text in each way that a disguised name could be meant.

    With what is encoded decoded, and not; without tags, where it has any; and with signs and rarer
    letters as what they look like ("$et").
    """
    readings = [_read(text, _decode(text, tags=False, signs=False), strict=True)]
    if _ENCODED.search(text):
        readings.append(_read(text, ((i, i + 1, char) for i, char in enumerate(text)), strict=True))
    tags = _TAG.search(text) is not None
    if tags:
        readings.append(_read(text, _decode(text, tags=True, signs=False), strict=True))
    if _LEET_SIGN.search(text) or not (text.isascii() or RARE_LOOKALIKES.keys().isdisjoint(text)):
        readings.append(_read(text, _decode(text, tags=tags, signs=True), strict=True))
    return readings


def _decode(text: str, *, tags: bool, signs: bool) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and character of what a text says when encodings (and tags, and signs) are read through."""
    if not tags and not signs and "&" not in text and "%" not in text:
        yield from ((i, i + 1, BOXED.get(char, char)) for i, char in enumerate(text))
        return
    at = 0
    for start, end, said in _find_encoded(text, tags=tags):
        yield from _read_chars(text, at, start, signs=signs)
        yield from ((start, end, char) for char in said)
        at = end
    yield from _read_chars(text, at, len(text), signs=signs)


def _read_chars(text: str, start: int, end: int, *, signs: bool) -> Iterator[tuple[int, int, str]]:
    for i in range(start, end):
        char = text[i]
        if signs and char in LEET_SIGNS and _is_inside_word(text, i):
            char = LEET_SIGNS[char]
        elif signs:
            char = RARE_LOOKALIKES.get(char, char)
        yield i, i + 1, BOXED.get(char, char)


def _is_inside_word(text: str, i: int) -> bool:
    after = i + 1 < len(text) and text[i + 1].isalnum()
    return after and ((i > 0 and text[i - 1].isalnum()) or text[i] in LEADING_SIGNS)


def _find_encoded(text: str, *, tags: bool) -> list[tuple[int, int, str]]:
    """Return start, end and meaning of what is not to be read letter by letter, in order, without overlaps."""
    found = [(match.start(), match.end(), "") for match in _TAG.finditer(text)] if tags else []
    starts, ends = [start for start, _, _ in found], [end for _, end, _ in found]
    encoded = []
    for match in _ENCODED.finditer(text):
        after = bisect_right(ends, match.start())
        if after == len(starts) or match.end() <= starts[after]:
            code = match.group()
            said = unquote(code, errors="replace") if code[0] == "%" else unescape(code)
            encoded.append((match.start(), match.end(), said))
    return sorted(found + encoded)


def _read(text: str, chars: Iterator[tuple[int, int, str]], *, strict: bool) -> Reading:
    plain: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    gaps: list[int] = []
    between: list[str] = []
    last = 0
    for start, end, char in chars:
        folded = _FOLDS[char]
        if not folded:
            if unicodedata.combining(char) and plain and not between:
                # A letter and the mark that follows it may be a letter of their own.
                joined = unicodedata.normalize("NFC", plain[-1] + char)
                plain[-1] = joined if joined in KEPT else plain[-1]
                ends[-1] = last = end
            else:
                between.append(char)
            continue
        if start > last and not between:
            between.append("*")  # a tag that was left out
        gap = classify_gap("".join(between)) if between else 0
        for letter in folded:
            plain.append(letter)
            starts.append(start)
            ends.append(end)
            gaps.append(gap)
            gap = 0
        between.clear()
        last = end
    folded_text = "".join(plain)
    letters = to_skeleton(folded_text) if strict else folded_text
    heads, tails = _find_runs(gaps)
    return Reading(text, letters, folded_text, starts, ends, gaps, heads, tails)


def _find_runs(gaps: list[int]) -> tuple[list[int], list[int]]:
    heads: list[int] = []
    for i, gap in enumerate(gaps):
        heads.append(heads[-1] if i and gap == 0 else i)
    tails = list(range(len(gaps)))
    for i in range(len(gaps) - 2, -1, -1):
        if gaps[i + 1] == 0:
            tails[i] = tails[i + 1]
    return heads, tails


def classify_gap(between: str) -> Gap:
    """Say what stands between two letters."""
    if between == " ":
        return Gap.SPACE
    if BARRIER in between:
        return Gap.BARRIER
    seen = [char for char in between if not is_invisible(char)]
    if not seen:
        return Gap.NONE
    if len(seen) > _WIDEST_GAP:
        return Gap.BARRIER
    signs = [char for char in seen if not char.isspace()]
    if len(signs) == len(seen):
        if all(char in _MARKUP for char in signs):
            return Gap.MARKUP
        return Gap.HYPHEN if len(signs) == 1 and signs[0] in _HYPHENS else Gap.TIGHT
    if len(signs) == 1 and seen[0] in _HYPHENS and any(char in _SPACES for char in seen):
        return Gap.BROKEN
    divides = any(char in _STOPS or char in _HYPHENS for char in signs)
    return Gap.STOP if divides else Gap.SPACE


def is_invisible(char: str) -> bool:
    """Say whether a character leaves no trace on the page; line breaks do."""
    if char in _SPACES:
        return False
    return char in _INVISIBLE_LETTERS or unicodedata.category(char) in _INVISIBLE_CATEGORIES


def latin(reading: Reading, first: int, last: int) -> str:
    """Return the letters of a span with look-alikes and, beside letters, digits as the Latin letters they stand for."""
    plain = reading.plain[first : last + 1]
    return plain if plain.isdigit() else to_latin(plain)
