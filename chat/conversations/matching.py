"""Where the words of a query stand in a text, and the part of it that is shown. Pure.

A word is found by itself, by another form of it, or by a longer word that begins with it. Both sides are stemmed by the
text's own language, so that "fakturor" finds "fakturan" and "invoices" "invoice".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion_site.language import Language, as_language, stem_words, tokens

#: A beginning of a word finds the word from so many letters on: "moms" finds "momsdeklaration".
SHORTEST_BEGINNING = 4
MOST_TERMS = 12
#: Hits looked at in one message.
MOST_HITS = 200
WHOLE, BEGINNING = 1.0, 0.5

#: Endings of one Swedish noun, which Snowball leaves apart ("fakturan", "fakturor").
_SWEDISH_ENDINGS = frozenset((
    "", "a", "an", "ans", "or", "ors", "orna", "ornas", "e", "en", "ens", "ar", "ars", "arna", "arnas",
    "er", "ers", "erna", "ernas", "et", "ets", "n", "ns", "na", "nas", "t", "ts", "s",
))  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LANGUAGES: tuple[Language, ...] = ("en", "sv")


@dataclass(frozen=True)
class WordHit:
    """One word of a text that a word of the query finds."""

    term: int
    weight: float
    start: int
    end: int


@dataclass
class Terms:
    """The words of a query, with their stems, and what each word met so far came to."""

    words: tuple[str, ...]
    stems: dict[Language, dict[str, int]]
    #: a text that has none of these has none of the words: most texts need no closer look
    beginnings: tuple[str, ...] = ()
    judged: dict[tuple[str, Language], tuple[int, float] | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.words)

    def judge(self, word: str, language: Language) -> tuple[int, float] | None:
        """Return which word of the query a casefolded word answers to and how well, None where none."""
        key = (word, language)
        if key not in self.judged:
            self.judged[key] = self._judge(word, language)
        return self.judged[key]

    def _judge(self, word: str, language: Language) -> tuple[int, float] | None:
        if word in self.words:
            return self.words.index(word), WHOLE
        (stem,) = stem_words([word], language)
        if stem in self.stems[language]:
            return self.stems[language][stem], WHOLE
        for number, term in enumerate(self.words):
            if language == "sv" and _are_forms(term, word):
                return number, WHOLE
            if len(term) >= SHORTEST_BEGINNING and word.startswith(term):
                return number, BEGINNING
        return None


def read_terms(query: str) -> Terms:
    """Return the words of a query that are looked for: the telling ones, or all where none tells anything."""
    found = list(dict.fromkeys(match.group().casefold() for match in _WORD.finditer(query)))
    telling = [word for word in found if tokens(word, "en") and tokens(word, "sv")]
    chosen = tuple((telling or found)[:MOST_TERMS])
    stems: dict[Language, dict[str, int]] = {
        language: {stem: number for number, stem in enumerate(stem_words(list(chosen), language))}
        for language in _LANGUAGES
    }
    shared = {
        _beginning(chosen[number], stem) for by_stem in stems.values() for stem, number in by_stem.items()
    }
    return Terms(chosen, stems, tuple(sorted(shared)))


def find_hits(text: str, language: str, terms: Terms) -> list[WordHit]:
    """Return where words of the query stand in a text, in order."""
    folded = text.casefold()
    if not any(beginning in folded for beginning in terms.beginnings):
        return []
    own = as_language(language)
    hits = []
    for match in _WORD.finditer(text):
        judged = terms.judge(match.group().casefold(), own)
        if judged is not None:
            hits.append(WordHit(*judged, match.start(), match.end()))
            if len(hits) >= MOST_HITS:
                break
    return hits


def _are_forms(one: str, other: str) -> bool:
    """Tell whether two Swedish words are a common beginning with an ending of a noun each."""
    shared = _shared_length(one, other)
    tails = {one[shared:], other[shared:]}
    return shared >= SHORTEST_BEGINNING and tails <= _SWEDISH_ENDINGS


def _beginning(word: str, stem: str) -> str:
    """Return the first letters that every form of a word has, as far as its stem tells: four at the most."""
    return word[: min(max(_shared_length(word, stem), 1), SHORTEST_BEGINNING)]


def _shared_length(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


BEFORE = 60
LENGTH = 220


@dataclass(frozen=True)
class Piece:
    """A run of a snippet, which is one of the words that were found or what stands between them."""

    text: str
    is_hit: bool = False


def cut_snippet(text: str, hits: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """Return some 220 characters of a text, where most of the hits stand together, in runs.

    Args:
        hits: first character and end of each, in order, none within another.
    """
    start, end = _window(text, hits)
    pieces, at = [Piece("…")] if start else [], start
    for first, last in hits:
        if start <= first and last <= end:
            pieces += [Piece(text[at:first]), Piece(text[first:last], is_hit=True)]
            at = last
    pieces.append(Piece(text[at:end]))
    if end < len(text):
        pieces.append(Piece("…"))
    return tuple(piece for piece in pieces if piece.text)


def _window(text: str, hits: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the part that holds the most hits, a little before the first of them, ending where words end."""
    counts = [sum(first <= other < first + LENGTH - BEFORE for other, _ in hits) for first, _ in hits]
    first, last = hits[counts.index(max(counts))]
    start = max(first - BEFORE, 0)
    while start > 0 and start < first and not text[start - 1].isspace():
        start += 1
    end = min(max(start + LENGTH, last), len(text))
    while last < end < len(text) and not text[end].isspace():
        end -= 1
    return start, end
