"""What goes into a search for phrases, and what comes out."""

from dataclasses import dataclass


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
