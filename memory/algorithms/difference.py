"""Whether a text says something that a like-sounding one does not: a test of words and numbers, in whatever language.

It only ever vetoes: what differs in value is never the same, however alike it sounds.
"""

import re
from unicodedata import normalize

from memory.algorithms.quantities import UNIT_WORDS, read_quantities

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"(?<=[\w,;] )[^\W\d_a-zåäö]\w+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|nobody|nothing|cannot|\w+n['\u2019]t|inte|ej|aldrig|ingen|inget|inga|ingenting)\b",
    re.IGNORECASE,
)


def differ_in_value(text: str, other: str) -> bool:
    """Tell whether a text says something that a like-sounding one does not: no threshold of similarity can.

    That is so where it names a number or a name the other does not, denies what the other affirms (or the reverse),
    or is the other with some words exchanged ("my colour is purple" / "my colour is cyan"). A paraphrase shares few
    words, and more or fewer words alone are no exchange. "120k" and "120 000 kr" are one number.
    """
    if is_negated(text) != is_negated(other) or _numbers_differ(text, other):
        return True
    words, other_words = read_words(text), read_words(other)
    if set(_NUMBER.findall(text)) != set(_NUMBER.findall(other)):
        # The numbers agree in another form, so their units do.
        words, other_words = words - UNIT_WORDS, other_words - UNIT_WORDS
    if {name.casefold() for name in _NAME.findall(text)} - other_words:
        return True
    shared = len(words & other_words)
    return 2 * shared >= max(len(words), len(other_words)) and shared < min(len(words), len(other_words))


def values_differ(one: str, other: str) -> bool:
    """Tell whether two texts name other numbers or names, or one denies what the other affirms; symmetric."""
    names = ({name.casefold() for name in _NAME.findall(text)} for text in (one, other))
    unnamed = any(found - read_words(text) for found, text in zip(names, (other, one), strict=True))
    numbered = _numbers_differ(one, other) or _numbers_differ(other, one)
    return unnamed or numbered or is_negated(one) != is_negated(other)


def plain(text: str) -> str:
    """Return a text as it is told from another, however cased, spaced and ended."""
    return " ".join(normalize("NFKC", text).casefold().split()).strip(" .!…")


def read_words(text: str) -> frozenset[str]:
    """Return the casefolded words of a text, without its numbers."""
    return frozenset(_WORD.findall(text.casefold()))


def is_negated(text: str) -> bool:
    """Tell whether a text denies something."""
    return _NEGATION.search(text) is not None


def _numbers_differ(text: str, other: str) -> bool:
    """Tell whether a text names a number that the other does not, in whatever form; plain digits are read first."""
    if not set(_NUMBER.findall(text)) - set(_NUMBER.findall(other)):
        return False
    _, own, own_date = read_quantities(text.casefold())
    _, others, other_date = read_quantities(other.casefold())
    if any(not any(quantity.agrees(found) for found in others) for quantity in own):
        return True
    dated = other_date.fields()
    return any(dated.get(name) != value for name, value in own_date.fields().items())
