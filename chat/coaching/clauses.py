"""What a message says, clause by clause, as its person's own words: without code, quotations and questions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from chat.coaching.phrases import pattern
from companion_site.language import Language, hide_foreign

_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb][^\"\u201c\u201d\u201e\u00ab\u00bb\n]*[\"\u201c\u201d\u201e\u00ab\u00bb]"
    r"|(?<!\w)[\u2018\u2019'][^\u2018\u2019'\n]{3,400}[\u2018\u2019'](?!\w)"
)
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
#: where the person begins anew within a sentence
_ANEW: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r",? (?:and|but|so)(?= (?:i|i'm|i've|i'd|my)\b)|;|,(?= (?:but|i|i'm|i've|i'd|it)\b)", re.IGNORECASE
    ),
    "sv": re.compile(
        r",? (?:och|men|så)(?= (?:jag|nu|mitt|min|det|har jag)\b)|;|,(?= (?:men|jag|det)\b)", re.IGNORECASE
    ),
}
#: of a sentence so many characters are read, and of a message so many sentences
LONGEST_SENTENCE, MOST_SENTENCES = 600, 200
_EDGES = " \t,;:.!?…-\u2013"


@dataclass(frozen=True)
class Clause:
    """One clause: as it was said, and folded for comparing; both have the same length."""

    text: str
    folded: str
    #: the sentence that it stands in
    sentence: str


def split_clauses(text: str, *, language: Language) -> list[Clause]:
    """Return the clauses of a message, in order; what asks is none."""
    plain = _QUOTED.sub(lambda found: " " * len(found.group()), hide_foreign(text))
    sentences = islice(_SENTENCE.finditer(plain), MOST_SENTENCES)
    return [
        clause for sentence in sentences for clause in _clauses(sentence.group()[:LONGEST_SENTENCE], language)
    ]


def _clauses(sentence: str, language: Language) -> Iterator[Clause]:
    if sentence.rstrip().endswith("?"):
        return
    start = 0
    ends = [(found.start(), found.end()) for found in _ANEW[language].finditer(sentence)]
    for end, after in [*ends, (len(sentence), len(sentence))]:
        part = sentence[start:end].strip(_EDGES)
        start = after
        folded = fold(part)
        if part and len(folded) == len(part) and not pattern(language, "asks").match(folded):
            yield Clause(part, folded, sentence.strip(" \t"))


def fold(text: str) -> str:
    """Return a text for comparing, in small letters and with one kind of apostrophe."""
    return text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
