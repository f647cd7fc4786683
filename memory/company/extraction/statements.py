"""A message of a company's person cut into what can be a fact: its sentences, as they were written, without what asks."""

from dataclasses import dataclass

from companion_site.language import hide_foreign
from memory.company.extraction.sentences import find_sentences
from memory.company.params import COMPANY
from memory.reading.splitter import split

#: Of one message so many are read.
MOST_STATEMENTS = 200
#: Fewer words say nothing by themselves: they belong to the sentence beside them.
LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a message that asks nothing.

    Attributes:
        prose: the message, with quoted lines and code blanked.
        start: its first character there; end: the character after its last.
        sentence: the number of its sentence in the message.
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
    """Return the sentences of a message; of one that asks, what it says before; of a long one, parts of whole clauses."""
    prose = hide_foreign(text)
    found: list[Statement] = []
    for number, (start, end) in enumerate(find_sentences(prose)[:MOST_STATEMENTS]):
        clauses = split(prose[start:end])
        if prose[start:end].rstrip("\"')]»” ").endswith("?"):
            clauses = clauses[:-1]
        while clauses:
            part = [one for one in clauses if one.end - clauses[0].start <= COMPANY.most_chars] or clauses[:1]
            begins, ends = start + part[0].start, start + part[-1].end
            found.append(Statement(prose, begins, ends, number, leans="others" in part[0].frames))
            clauses = clauses[len(part) :]
    return found[:MOST_STATEMENTS]
