"""Whether nothing in one statement differs in value from another, so that one of them can stand for both."""

from unicodedata import normalize

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.slots import find_slots
from memory.algorithms.values.words import kinds

#: Words that name nothing by which two statements of one slot may differ.
MOST_EXTRAS = 2


def say_the_same(
    one: tuple[Clause, ...],
    other: tuple[Clause, ...],
    *,
    similarity: float,
    bound: float,
) -> bool:
    """Tell whether two statements say the same fact, in whatever words; symmetric.

    Numbers, dates, names, denials and opposites must be equal and so must all
    words that carry something; or both give one slot the same value and say nothing more.
    """
    if not one or not other or similarity < bound:
        return False
    whole, other_whole = one[0], other[0]
    if _values(whole) != _values(other_whole) or not _same_amounts(whole, other_whole):
        return False
    if "than" in whole.ideas and _order(whole) != _order(other_whole):
        return False
    if whole.core == other_whole.core and whole.scope == other_whole.scope and bool(whole.core):
        return True
    return len(one) == len(other) == 1 and _same_slot(whole, other_whole)


def plain(text: str) -> str:
    """Return a text as it is told from another, however cased, spaced and ended."""
    return " ".join(normalize("NFKC", text).casefold().split()).strip(" .!…")


def _values(clause: Clause) -> tuple[object, ...]:
    """Return everything of a clause that is a value."""
    return (
        clause.owner,
        clause.when,
        clause.denied,
        sorted(clause.ends.items()),
        clause.marks,
        clause.is_past,
        clause.is_shared,
        "only" in clause.ideas,
        frozenset(clause.ideas) & _TELLING,
        clause.is_wished,
        clause.is_hedged,
    )


#: Small words in which statements of the same things still differ.
_TELLING = frozenset(
    {
        "acquired_",
        "begun_",
        "choose_",
        "than",
        "from",
        "before",
        "after",
        "without",
        "over",
        "under",
        "up",
        "down",
        "out",
    }
    | {"more", "most", "all", "any", "must", "will", "can", "may", "would", "should", "need"}
)


def _same_amounts(one: Clause, other: Clause) -> bool:
    """Tell whether the amounts pair up."""
    left = list(other.quantities)
    for quantity in one.quantities:
        match = next((found for found in left if quantity.agrees(found)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _order(clause: Clause) -> list[str]:
    return [idea for idea in clause.ideas if idea in clause.core]


def _same_slot(one: Clause, other: Clause) -> bool:
    """Tell whether both give the same things the same values, and say next to nothing more."""
    slots, others = _slots(one), _slots(other)
    extras = one.core ^ other.core
    telling = any(kinds().get(idea) or idea in one.names | other.names for idea in extras)
    return bool(slots) and slots == others and len(extras) <= MOST_EXTRAS and not telling


def _slots(clause: Clause) -> set[tuple[str, frozenset[str], frozenset[str]]]:
    return {(slot.name, slot.key, slot.values) for slot in find_slots(clause)}
