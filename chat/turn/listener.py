"""The step that listens: what somebody means by each clause of their message, and which clauses state something.

Everything here is the person's own words, as they stand in the message; nothing is put into other words or inferred.
"""

from dataclasses import dataclass

from chat.turn.clause_kinds import IntentionKind, cut, name_kind
from companion_site.language import Language, find_dates

#: kinds of clauses that state something about the person or their life
_STATING: frozenset[IntentionKind] = frozenset(("statement", "plan", "promise", "wish"))
#: fewer words state nothing by themselves
_LEAST_WORDS = 3


@dataclass(frozen=True, kw_only=True)
class ListenInput:
    text: str
    language: Language


@dataclass(frozen=True, kw_only=True)
class Intention:
    """What somebody means by a clause.

    Attributes:
        text: the clause, word for word.
        times: the dates and times that it names, word for word.
    """

    kind: IntentionKind
    text: str
    times: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a message says: an intention for each clause, and the clauses that state something."""

    intentions: tuple[Intention, ...] = ()
    facts: tuple[str, ...] = ()


def listen_step(given: ListenInput) -> Heard:
    """Return what a message says; by rules, so it is the same every time and costs less than a millisecond."""
    intentions = tuple(
        Intention(
            kind=name_kind(clause.text, language=given.language, is_asked=clause.is_asked),
            text=clause.text,
            times=tuple(find_dates(clause.text)),
        )
        for clause in cut(given.text)
    )
    facts = dict.fromkeys(one.text for one in intentions if _states(one))
    return Heard(intentions=intentions, facts=tuple(facts))


def _states(intention: Intention) -> bool:
    return intention.kind in _STATING and len(intention.text.split()) >= _LEAST_WORDS
