"""Phrases, what is found of them, and a phrase made ready for the search: its letters, joints and other forms."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from companion_site.phrases.folding import Reading, is_invisible, read_plain
from companion_site.phrases.inflection import other_forms
from companion_site.phrases.lookalikes import to_skeleton

#: Of a longer phrase the beginning is looked for: who has said that much has said it.
LONGEST_PHRASE = 300
#: Most phrases: what folds to itself.
_PLAIN = re.compile("[a-zA-Z0-9åäöÅÄÖ ]*")
_SIGNS = frozenset("#&@%*")
_MARKS = frozenset("`^~|\u00a8\u00b4\u00af")
#: Characters of scripts that set no spaces between words.
_UNSPACED_FROM = "\u2e80"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A word or more to look for. Several phrases may share a key: they are names of one thing."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """Where a phrase stands.

    `start` and `end` are a span of the original text: the words of the phrase with their endings, and in a compound
    the part that is the phrase. `exact` says that these are its very words, capitals aside: not inflected, not inside
    a longer word, not disguised.
    """

    key: str
    start: int
    end: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of one phrase.

    Attributes:
        key: whose name it is.
        plain: n folded letters and digits.
        letters: n characters as the matcher compares them.
        joints: places in `plain` before which a new word begins.
        own: whether this is the phrase itself and no other form of it.
        literal: the phrase as NFKC and casefold leave it, for `Found.exact`.
    """

    key: str
    plain: str
    letters: str
    joints: frozenset[int]
    own: bool
    literal: str

    @property
    def is_unspaced(self) -> bool:
        return self.plain[0] >= _UNSPACED_FROM


@dataclass(frozen=True, slots=True)
class SignPattern:
    """A phrase with signs that matter ("C++", an emoji), which is looked for sign by sign."""

    key: str
    signs: str
    gaps: tuple[bool, ...]
    literal: str


def to_literal(text: str) -> str:
    """Return a text as it counts for "the very words"."""
    return unicodedata.normalize("NFKC", text).casefold()


def has_signs(text: str) -> bool:
    """Say whether a phrase has a sign that matters, or nothing but signs."""
    if _PLAIN.fullmatch(text):
        return not text.strip()
    return any(_is_sign(char) for char in text) or not any(map(str.isalnum, text))


def _is_sign(char: str) -> bool:
    return char in _SIGNS or (unicodedata.category(char)[0] == "S" and char not in _MARKS)


def prepare_letters(phrase: Phrase, *, strict: bool) -> Iterator[Pattern]:
    """Yield the patterns of a phrase of letters and digits; none for a blank one."""
    text = phrase.text[: 4 * LONGEST_PHRASE]
    plain, joints = _fold_words(text)
    if not plain:
        return
    literal = to_literal(text.strip())
    yield _make(phrase.key, plain, joints, strict=strict, own=True, literal=literal)
    last = max(joints, default=0)
    for form in sorted(other_forms(plain[last:])):
        yield _make(phrase.key, plain[:last] + form, joints, strict=strict, own=False, literal=literal)


def _fold_words(text: str) -> tuple[str, frozenset[int]]:
    """Return the folded letters of a phrase, at most the longest allowed, and where its words begin but the first."""
    if _PLAIN.fullmatch(text):
        words = text.casefold().split()
        plain, joints = "".join(words), list(accumulate(map(len, words)))[:-1]
    else:
        reading = read_plain(text)
        plain, joints = reading.plain, [i for i, gap in enumerate(reading.gaps) if gap and i]
    return plain[:LONGEST_PHRASE], frozenset(i for i in joints if i < LONGEST_PHRASE)


def _make(key: str, plain: str, joints: frozenset[int], *, strict: bool, own: bool, literal: str) -> Pattern:
    letters = to_skeleton(plain) if strict else plain
    return Pattern(key, plain, letters, joints, own, literal)


def prepare_signs(phrase: Phrase) -> SignPattern | None:
    """Return the pattern of a phrase with signs, or None if nothing of it can be seen."""
    signs, gaps, _ = read_signs(phrase.text[: 4 * LONGEST_PHRASE].strip())
    if not signs:
        return None
    return SignPattern(
        phrase.key, signs[:LONGEST_PHRASE], tuple(gaps[:LONGEST_PHRASE]), to_literal(phrase.text.strip())
    )


def read_signs(text: str) -> tuple[str, list[bool], list[tuple[int, int]]]:
    """Return all that is seen of a text but white space; before which there is some; and the place of each."""
    signs: list[str] = []
    gaps: list[bool] = []
    places: list[tuple[int, int]] = []
    gap = False
    for i, char in enumerate(text):
        if is_invisible(char):
            continue
        if char.isspace():
            gap = True
            continue
        for sign in to_literal(char):
            signs.append(sign)
            gaps.append(gap)
            places.append((i, i + 1))
            gap = False
    return "".join(signs), gaps, places


def words_of(pattern: Pattern) -> list[str]:
    """Return the folded words of a pattern."""
    cuts = [0, *sorted(pattern.joints), len(pattern.plain)]
    return [pattern.plain[start:end] for start, end in pairwise(cuts)]


def word_at(reading: Reading, i: int) -> str:
    """Return the unbroken run of letters that the i-th one is in."""
    return reading.plain[reading.heads[i] : reading.tails[i] + 1]
