"""A message of a company's person cut into what can be a fact: its sentences, as they were written, without what asks."""

import re
from dataclasses import dataclass

from companion_site.language import hide_foreign
from memory.company.params import COMPANY
from memory.reading.splitter import split

_SENTENCE = re.compile(
    r"(?:(?!(?<![.!?…])[.!?…]+[\"')\]»”]{0,3}(?:\s|$)|\n).)+(?:[.!?…]+[\"')\]»”]{0,3})?", re.DOTALL
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|mr|mrs|ms|dr|st|approx|no|inc|ltd|t\.ex|bl\.a|dvs|o\.s\.v|m\.m|ca|kl|nr|s\.k|f\.d|p\.g\.a"
    r"|t\.o\.m|fr\.o\.m|[a-zåäö])\.$",
    re.IGNORECASE,
)
#: The longest abbreviation with what stands before it.
_ABBREVIATION_CHARS = 12
#: Of one message so many are read.
MOST_STATEMENTS = 200
#: Fewer words say nothing by themselves: they belong to the sentence beside them.
LEAST_WORDS = 3


def find_sentences(prose: str) -> list[tuple[int, int]]:
    """Return first and last character of each sentence, in order, without the spaces around it."""
    found: list[tuple[int, int]] = []
    joins = False
    for match in _SENTENCE.finditer(prose):
        start, end = match.span()
        if not match.group().strip():
            continue
        found[-1:] = [(found[-1][0], end)] if joins else [*found[-1:], (start, end)]
        # Searched at its end only: of a text of nothing but abbreviations all would be searched anew with each.
        joins = (
            _ABBREVIATION.search(prose, max(found[-1][0] - 1, end - _ABBREVIATION_CHARS, 0), end) is not None
        )
    return [_trim(prose, *span) for span in found]


def split_sentences(prose: str) -> list[str]:
    """Return the sentences of a text, with single spaces."""
    return [" ".join(prose[start:end].split()) for start, end in find_sentences(prose)]


def _trim(prose: str, start: int, end: int) -> tuple[int, int]:
    text = prose[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a message, which can be a fact or a wish.

    Attributes:
        prose: the message, with quoted lines and code blanked.
        start: its first character there; end: the character after its last.
        leans: that it speaks of somebody named before it.
    """

    prose: str
    start: int
    end: int
    sentence: int
    leans: bool

    @property
    def text(self) -> str:
        return self.prose[self.start : self.end]

    @property
    def is_short(self) -> bool:
        return len(self.text.split()) < LEAST_WORDS


def find_statements(text: str) -> list[Statement]:
    """Return the sentences of a message, without those that ask; of a long one, parts of whole clauses.

    What a sentence says before it asks is seldom meant as said: in the labelled dialogues 4 of 52 such parts are facts.
    """
    prose = hide_foreign(text)
    found: list[Statement] = []
    for number, (start, end) in enumerate(find_sentences(prose)[:MOST_STATEMENTS]):
        clauses = [] if _asks(prose[start:end]) else split(prose[start:end])
        while clauses:
            part = [one for one in clauses if one.end - clauses[0].start <= COMPANY.most_chars] or clauses[:1]
            begins, ends = start + part[0].start, start + part[-1].end
            found.append(Statement(prose, begins, ends, number, leans="others" in part[0].frames))
            clauses = clauses[len(part) :]
    return found[:MOST_STATEMENTS]


def find_questions(text: str) -> list[Statement]:
    """Return the sentences of a message that ask, each whole: some of them say how somebody wants to be written to."""
    prose = hide_foreign(text)
    return [
        Statement(prose, start, end, number, leans=False)
        for number, (start, end) in enumerate(find_sentences(prose)[:MOST_STATEMENTS])
        if end - start <= COMPANY.most_chars and _asks(prose[start:end])
    ]


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"')]»” ").endswith("?")
