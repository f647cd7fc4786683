"""Whether a finished reply shows a memory that stood in its prompt, by what the two have in common.

A word in common counts by how surprising it is that a reply of this length has it: its self-information less log2 of the
reply's length; it counts in full where the reply speaks to the person. What their message said itself is no evidence,
and a run of words as the memory has them is a quotation. Pure functions of text; measured in docs/personalised-replies.md.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import log2

from companion_site.language import Language, stem_words, tokens, word_information

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_TELLING = re.compile(
    r"\b(?:you(?: have|'ve|\u2019ve)? (?:told|said|mentioned|wrote|asked|tend|usually|often|once|got|had|did|like)|as you|since you|last time"
    r"|du (?:har (?:berättat|sagt|nämnt|skrivit)|berättade|sa|sade|nämnde|skrev|brukar|ofta|hade|gjorde|gillar)|eftersom du|sist|förra gången)\b",
    re.IGNORECASE,
)
_ADDRESSING = re.compile(
    r"\?|\b(?:you|your|yours|yourself|you\W\w+|du|dig|dej|din|ditt|dina|ni|er|ert|era)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_LANGUAGES: tuple[Language, ...] = ("en", "sv")


class Shows(StrEnum):
    """How clearly a reply shows a memory."""

    NOT = "no"
    FAINTLY = "faintly"
    CLEARLY = "clearly"


@dataclass(frozen=True, kw_only=True)
class DrawingParams:
    """Bounds in bits. Source: the first half of tests/data/drawn.json; docs/personalised-replies.md."""

    #: evidence from which a memory shows clearly, and faintly
    clearly: float = 6.0
    faintly: float = 2.5
    #: what replies to a question share anyhow, because they are about the same thing
    of_the_topic: float = 4.0
    #: what it adds to other evidence that the reply says where something comes from ("you told me")
    told: float = 2.0
    #: what a word is worth in a sentence that neither speaks to the person nor asks
    unaddressed: float = 0.4
    #: what a number says that has one digit, and what one says that has more
    digit: float = 6.0
    number: float = 13.0


DRAWING = DrawingParams()
#: So many words in a row, as the memory has them, are a quotation.
QUOTED = 4


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A memory's words, one statement a line, and the language that they are in."""

    text: str
    language: Language


def find_shown(reply: str, memories: Sequence[Statement], *, asked: str = "") -> list[Shows]:
    """Return how clearly a reply shows each memory; of one with several lines, the line that shows the most decides.

    Args:
        asked: the message that was replied to.
    """
    said, heard = _read(reply), _read(asked)
    return [_judge(memory, said, heard) for memory in memories]


def find_quoted(reply: str, memories: Sequence[Statement], *, asked: str = "") -> list[Shows]:
    """Return which memories a reply quotes that can show one in no other way: the companion's without a model.

    Args:
        asked: the message that was replied to; giving its words back is no memory.
    """
    said, heard = _read(reply).words, _read(asked).words
    return [
        Shows.CLEARLY if any(_quotes(said, heard, line) for line in memory.text.splitlines()) else Shows.NOT
        for memory in memories
    ]


def _quotes(said: Sequence[str], heard: Sequence[str], line: str) -> bool:
    words = tuple(_words(line))
    most = min(QUOTED, len(words))
    return bool(words) and bool((_runs(words, most) & _runs(said, most)) - _runs(heard, most))


@dataclass(frozen=True)
class _Text:
    """The words of a text in order, and each with its stems."""

    words: tuple[str, ...]
    keys: frozenset[str]
    #: those of the sentences that speak to the person
    addressed: frozenset[str]
    #: whether it says that the person told, did or tends to do something
    tells: bool

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """Every `QUOTED` words in a row."""
        return _runs(self.words)

    @property
    def length(self) -> float:
        """Log2 of how many words it has: by so much it is less surprising that one of them is there."""
        return log2(max(len(set(self.words)), 2))


def _read(text: str) -> _Text:
    words = tuple(_words(text))
    sentences = (match.group() for match in _SENTENCE.finditer(text))
    addressed = " ".join(sentence for sentence in sentences if _ADDRESSING.search(sentence))
    return _Text(
        words, _all_keys(words), _all_keys(tuple(_words(addressed))), _TELLING.search(text) is not None
    )


def _all_keys(words: Sequence[str]) -> frozenset[str]:
    return frozenset(key for keys in _keys(words) for key in keys)


def _words(text: str) -> Iterable[str]:
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return (re.sub(r"'s$", "", match.group().casefold()) for match in _WORD.finditer(plain))


def _keys(words: Sequence[str]) -> list[set[str]]:
    """Return by what each word is known again: as it stands, and by its stem in each language."""
    stems = [stem_words(list(words), language) for language in _LANGUAGES]
    return [
        {word, *(f"{language}:{stem}" for language, stem in zip(_LANGUAGES, of, strict=True))}
        for word, *of in zip(words, *stems, strict=True)
    ]


def _judge(memory: Statement, said: _Text, heard: _Text) -> Shows:
    lines = [line for line in memory.text.splitlines() if line.strip()]
    evidence = max((_evidence(line, said, heard, memory.language) for line in lines), default=0.0)
    if evidence >= DRAWING.clearly:
        return Shows.CLEARLY
    return Shows.FAINTLY if evidence >= DRAWING.faintly else Shows.NOT


def _evidence(line: str, said: _Text, heard: _Text, language: Language) -> float:
    """Return how many bits speak for it that the reply has this line from the memory."""
    words = tuple(_words(line))
    if (_runs(words) & said.runs) - heard.runs:
        return DRAWING.clearly
    keys = dict(zip(words, _keys(words), strict=True))
    shared = {word for word, of in keys.items() if of & said.keys and not of & heard.keys}
    expected = said.length + DRAWING.of_the_topic
    evidence = 0.0
    for word, bits in _information(shared, words, language).items():
        weight = 1.0 if keys[word] & said.addressed else DRAWING.unaddressed
        evidence += weight * max(0.0, bits - expected)
    return evidence + DRAWING.told if said.tells and evidence >= DRAWING.faintly else evidence


def _information(shared: Set[str], words: Sequence[str], language: Language) -> dict[str, float]:
    """Return the bits of each word shared, among the words of its line; what every text has says nothing."""
    telling = set(tokens(" ".join(words), language))
    bits = dict(zip(words, word_information(words, language).tolist(), strict=True))
    bits |= {word: DRAWING.number if len(word) > 1 else DRAWING.digit for word in words if word.isnumeric()}
    return {word: bits[word] for word in sorted(shared & telling)}


def _runs(words: Sequence[str], most: int = QUOTED) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[start : start + most]) for start in range(len(words) - most + 1))
