"""What a person said, cut into clauses that can each be meant by themselves. Nothing is rewritten."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion_site.language import hide_foreign
from memory.company.extraction.statements import split_sentences

#: a clause has so many words at least
LEAST_WORDS = 3
#: of a sentence so many characters are read for clauses
LONGEST_SENTENCE = 600

_PRONOUN = (
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|he|she|it|it's|they|that's|this|there|everyone|almost|nobody"
    r"|jag|vi|han|hon|hen|det|de|dom|detta|alla|ingen|nästan)"
)
#: after a bare comma these may only go on with a list: "jag, min bror och Ulla"
_NOUN = (
    r"(?:our|my|his|her|their|the|min|mitt|mina|vår|vårt|våra|hans|hennes|deras|den|styrelsen|bolaget|banken)"
)
_AND = r"(?:and|but|so|or|och|men|så|eller|fast|though|because|since|för|eftersom)"
#: what opens a clause of its own after a comma or a conjunction
_CUT = re.compile(
    rf"\s*[,;]\s+(?:{_AND}\s+)?(?={_PRONOUN}\b)|\s*[,;]\s+{_AND}\s+(?={_NOUN}\b)"
    rf"|\s+(?:and|but|so|och|men|så|because|eftersom)\s+(?=(?:{_PRONOUN}|{_NOUN})\s+\S+)"
    r"|\s*[,;]\s+(?:so|så|utom|except|apart from|förutom|men|but|vilket|which|nothing|that)\s+"
    r"|:\s+|\s[\u2013\u2014-]\s|\s*[,;]\s+(?=(?-i:[A-ZÅÄÖ]\w+)\s+(?:suggested|said|says|thinks|wants|föreslog|sa|säger|tycker|vill)\b)"
    r"|(?P<verb>(?:,\s+|\s+(?:och|and)\s+)(?=(?:är|har|hyr|äger|säljer|are|rent|own|have|sell|employ)\s))"
    r"|,\s+(?=(?:men|but|not|inte)\s)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whenever|om|ifall|när|när som helst|så fort|as soon as|when)\b", re.IGNORECASE
)
#: who a clause without a subject of its own goes on about; of others it is not cut off
_SPEAKER = re.compile(r"(?:vi|jag|we|i)\b", re.IGNORECASE)
#: what a sentence may begin with before it says something
_OPENING = re.compile(
    r"(?:(?:[\s\-*•,.!?…:;)\]]|\d{1,2}[.)]\s)+"
    r"|(?:hi|hello|hey|hejsan|hej|hallå|tjena|morsning|tja)(?:\s+(?:there|på dig|hej))?(?=[\s,.!])"
    r"|(?:ok|okay|okej|okey|well|thanks|thank you|tack|yes|yeah|yep|no|ja|japp|nej|jo|jaha|oh|åh|oj|puh|alright|sure|great|cool|perfect|right"
    r"|visst|toppen|perfekt|precis|nåja|så där|sådär|hörru|hörrudu|du(?=,)|btw|by the way|anyway|anyhow|hur som helst|för övrigt|förresten|actually"
    r"|alltså|jo men|typ|också|also|just so you know|så du vet|as i said|som sagt|to be honest|ärligt talat|hm+|mm+|so|så|and|och|but|men)"
    r"(?=[\s,.!:])[,.!:…]*(?:\s+(?=\w))?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a message.

    Attributes:
        text: word for word, without what it opens and ends with; "vi" is put before what goes on about "vi".
        sentence: the whole sentence that it stands in.
        is_asked: whether that sentence asks.
    """

    text: str
    sentence: str
    is_asked: bool


def split_clauses(text: str) -> list[Clause]:
    """Return the clauses of a message in order; code, addresses and quoted lines are not the person's words."""
    prose = hide_foreign(text)
    return [clause for sentence in split_sentences(prose) for clause in _clauses(sentence[:LONGEST_SENTENCE])]


def _clauses(sentence: str) -> Iterator[Clause]:
    is_asked = sentence.rstrip("\"')]»” ").endswith("?")
    pieces = list(_pieces(sentence))
    for number, text in enumerate(pieces):
        if len(text.split()) >= LEAST_WORDS:
            # Of a sentence that ends in a question only the last clause asks: "we moved to X, do I have to …?"
            yield Clause(
                text=text,
                sentence=sentence,
                is_asked=is_asked and number == len(pieces) - 1,
            )


def _pieces(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence, trimmed; one that goes on about the speaker gets its subject back."""
    start, subject = 0, ""
    for match in _CUT.finditer(sentence):
        left, right = trim(sentence[start : match.start()]), trim(sentence[match.end() :])
        speaker = _SPEAKER.match(left)
        goes_on = match["verb"] is not None
        if (
            len(right.split()) < LEAST_WORDS
            or _CONDITION.match(left)
            or (goes_on and not (speaker or subject))
        ):
            continue
        yield f"{subject} {left}".strip()
        subject = (subject or (speaker.group() if speaker else "")) if goes_on else ""
        start = match.end()
    yield f"{subject} {trim(sentence[start:])}".strip()


def trim(piece: str) -> str:
    """Return a clause without greetings and interjections before it, and without what ends it."""
    start = 0
    while (match := _OPENING.match(piece, start)) is not None and match.end() > start:
        start = match.end()
    return piece[start:].strip(" \t\n,;:.!…\u2013\u2014\"'()[]»”")
