"""A message of a company's person cut into what can be a fact: its sentences, as they were written, without what asks."""

from dataclasses import dataclass

from companion_site.language import hide_foreign
from memory.company.params import COMPANY
from memory.reading.splitter import whole_sentences

#: Of one message so many are read.
MOST_STATEMENTS = 200
#: Fewer words say nothing by themselves: they belong to the sentence beside them.
LEAST_WORDS = 3


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
    for number, sentence in enumerate(whole_sentences(prose)[:MOST_STATEMENTS]):
        clauses = () if _asks(prose[sentence.start : sentence.end]) else sentence.clauses
        while clauses:
            part = [one for one in clauses if one.end - clauses[0].start <= COMPANY.most_chars] or clauses[:1]
            found.append(
                Statement(prose, part[0].start, part[-1].end, number, leans="others" in part[0].frames)
            )
            clauses = clauses[len(part) :]
    return found[:MOST_STATEMENTS]


def find_questions(text: str) -> list[Statement]:
    """Return the sentences of a message that ask, each whole: some of them say how somebody wants to be written to."""
    prose = hide_foreign(text)
    return [
        Statement(prose, one.start, one.end, number, leans=False)
        for number, one in enumerate(whole_sentences(prose)[:MOST_STATEMENTS])
        if one.end - one.start <= COMPANY.most_chars and _asks(prose[one.start : one.end])
    ]


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"')]»” ").endswith("?")
