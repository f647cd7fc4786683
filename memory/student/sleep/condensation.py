"""One statement in fewer of the person's own words: what carries something stays, in its order.

Greetings, addresses, assent, thanks, praise and closing tags go (`memory.student.sleep.small_talk`), repetitions and intensifiers too.
Names, numbers, dates, denials and hedges stay; nothing is added.
"""

import re
from collections.abc import Collection

from memory.student.sleep.small_talk import drop_address, drop_opening, drop_tail, is_talk

_BOUNDARY = re.compile(
    r"(?:(?<=[.!?…])[\"')\]»”]*\s+|;\s+|\s+[\u2013\u2014-]+\s+|--+\s*|\n+|(?:,\s+|\s+)(?=(?:and|but|och|men)\s+(?:it|that|this|det)(?:'s|\u2019s)?\b)|,\s+(?=(?:so|such a|så)\s+\w+[.!]*$))"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|vs|no|t\.ex|bl\.a|dvs|m\.m|ca|kl|nr|[a-zåäö])\.$",
    re.IGNORECASE,
)
#: Adverbs that only make louder; not after a denial, where they limit it ("not really").
_LOUD = re.compile(
    r"(?<!\bnot)(?<!n't)(?<!n\u2019t)(?<!\bno)(?<!\bnever)(?<!\binte)(?<!\baldrig)\s(?:really|just|actually|totally|literally|honestly|basically|definitely|truly|super|absolutely|completely|"
    r"verkligen|faktiskt|egentligen|liksom|väldigt|jätte|typ|ju|bara)(?=\s(?!as\b|not\b|in time\b|inte\b|under\b|over\b|about\b|before\b|after\b|one\b|two\b|a few\b|en\b|ett\b|\d)\w)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:and|but|so(?=,|\s(?:i|we|he|she|they|it)\b)|also|plus|anyway|anyways|actually|honestly|basically|well|like|i mean|you know|to be honest|by the way|btw|och|men|så|alltså|ja|typ|förresten|i alla fall|för övrigt)\b,?\s+)+(?=\S+\s+\S)",
    re.IGNORECASE,
)
_STUTTER = re.compile(r"\b(?!had\b|that\b)(\w{2,})(?:\s+\1\b)+", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|no|never|nobody|nothing|cannot|\w+n['\u2019]t|inte|ej|aldrig|ingen|inget|inga|ingenting)\b",
    re.IGNORECASE,
)
#: What only says that a picture is one.
_PICTURED = re.compile(
    r"(?<=\[)(?:shares|shared|sends|sent|delar|skickar) (?:an? |en |ett )?(?=\w+: )"
    r"|(?<=: )(?:an? |the |en |ett )?(?:photo(?:graphy|graph)?|picture|pic|image|foto|bild) (?:of|på|av) (?:an? |the |en |ett )?(?=\w)",
    re.IGNORECASE,
)
#: A name at either end of what may be mere talk.
_CALLED = re.compile(r"^\W*[A-ZÅÄÖ][\w-]+, |, [A-ZÅÄÖ][\w-]+\W*$")
_VERDICT = re.compile(r"(?:it|that|this|so|which|det|vilket|så)\b", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\W*(?:when|if|after|before|once|because|since|while|although|när|om|efter|innan|eftersom|medan|fast)\b",
    re.IGNORECASE,
)


def split_clauses(text: str) -> list[str]:
    """Return the sentences of a text, and the clauses of a sentence that judge the rest of it."""
    # Runs of spaces say nothing, and what looks for a space before something else looks at each of them anew.
    lines = (" ".join(line.split()) for line in text.split("\n"))
    parts, start, text = [], 0, "\n".join(filter(None, lines))
    for match in _BOUNDARY.finditer(text):
        if _ABBREVIATION.search(text[max(start, match.start() - 10) : match.start()]):
            continue
        parts.append(text[start : match.start()])
        start = match.end()
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def drop_talk(text: str, *, names: Collection[str] = ()) -> list[str]:
    """Return the clauses of a text that say something, without what they were opened and closed with.

    Args:
        names: of people who may be spoken to.
    """
    kept = []
    for clause in split_clauses(text):
        bare = drop_tail(drop_address(drop_opening(clause), names))
        bare = _drop_verdict(drop_address(drop_opening(bare), names)).strip(" ,;:\u2013\u2014-")
        if not any(is_talk(form) for form in (bare, _LEADING.sub("", bare), _CALLED.sub("", bare))):
            kept.append(bare)
    return kept


def _drop_verdict(clause: str) -> str:
    """Return a clause without a mere verdict that a comma adds to it ("…, it was great")."""
    head, comma, tail = clause.rpartition(", ")
    stands_alone = comma and not _SUBORDINATE.match(head) and _VERDICT.match(tail)
    return head if stands_alone and is_talk(tail) else clause


def shorten(clause: str) -> str:
    """Return a clause without its connective, stutter and intensifiers."""
    clause = _STUTTER.sub(r"\1", _PICTURED.sub("", _LEADING.sub("", clause)))
    return clause if _DENIED.search(clause) else _LOUD.sub("", clause)
