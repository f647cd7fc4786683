"""Whether two clauses speak of the same matter: whose, of what, when."""

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.words import kinds

TAKING = frozenset({"eat", "drink_verb", "drink"})


#: Words that add nothing to what is said.
HARMLESS = frozenset(
    {
        "want",
        "need",
        "giv",
        "ge",
        "ger",
        "first",
        "först",
        "new",
        "put",
        "yesterda",
        "toda",
        "tomorrow",
        "yet",
        "igår",
        "idag",
        "alldel",
        "vecka",
        "hel",
        "since",
        "rath",
        "hell",
        "best",
        "bäst",
        "usual",
        "vanlig",
        "normal",
        "daypart",
        "day",
        "week",
        "dag",
        "veck",
        "whole",
        "actual",
    }
)


#: Kinds of which another one means another matter.
TELLING = frozenset(
    {
        "person",
        "course",
        "event",
        "sport",
        "instrument",
        "pet",
        "food",
        "topic",
        "thing",
        "job",
        "place",
        "ride",
    }
)


def kind(idea: str) -> str:
    return kinds().get(idea, "")


def core(clause: Clause) -> frozenset[str]:
    """Return what a clause is about; of eating and drinking only what is eaten or drunk."""
    core = clause.core - HARMLESS
    if any(kind(idea) == "food" for idea in core):
        core -= TAKING
    return frozenset(idea for idea in core if kind(idea) != "daypart")


def holder(clause: Clause) -> str:
    return "me" if kind(clause.owner) == "pet" else clause.owner


def same_subject(before: Clause, after: Clause) -> bool:
    return before.owner == after.owner and before.persons == after.persons


def same_time(before: Clause, after: Clause) -> bool:
    return before.when.fields() == after.when.fields() and before.is_shared == after.is_shared


def matter(clause: Clause) -> frozenset[str]:
    """Return what a clause is about; where it names nothing, the act or the measure that it tells."""
    found = clause.core - HARMLESS
    if found - VERBS:
        return found
    acts = frozenset(idea for idea in clause.ideas if idea[-1] == "_" and idea not in ("a_", "s_"))
    return found | acts | frozenset(f"@{axis}" for axis in clause.ends if axis != "often")


#: What tells one of a row from another: "the first lecture", "the other book".
_ORDER = frozenset(
    {"first", "second", "third", "fourth", "fifth", "last", "other", "another", "next"}
    | {
        "först",
        "första",
        "andr",
        "andra",
        "tredj",
        "tredje",
        "fjärd",
        "fjärde",
        "sist",
        "sista",
        "fem",
        "femt",
        "femte",
    }
    | {"left", "right", "vänst", "vänster", "hög", "höger", "fourt", "fif", "thir"}
)


_AGE = frozenset({"new", "ny", "old", "gammal", "gaml", "gamla"})
_PHASES = frozenset({"start", "finish"})


def is_another(before: Clause, after: Clause) -> bool:
    """Tell whether two clauses clearly speak of two things: another of a row, or "my flatmate" and "I"."""
    if _order_of(before) != _order_of(after) and not after.is_changed:
        return True
    for words in (_AGE, _PHASES):
        one, other = before.core & words, after.core & words
        if one and other and not one & other:
            return True
    if _heads_differ(before, after):
        return True
    return _is_mine_alone(before, after) or _is_mine_alone(after, before)


def _order_of(clause: Clause) -> frozenset[str]:
    """Return what tells its things from others of their row: ordinals right before a thing."""
    pairs = zip(clause.ideas, clause.ideas[1:], strict=False)
    return frozenset(left for left, right in pairs if left in _ORDER and right in clause.core)


def _heads_differ(before: Clause, after: Clause) -> bool:
    """Tell whether two clauses say something of two things: "my bike is fine", "my bike lamp is broken"."""
    one, other = _head(before), _head(after)
    return bool(one and other) and not (one in after.core and other in before.core)


_CLOSING = frozenset({"be", "in", "of", "on", "at", "for", "with", "have", "to", "not", "will", "can", "s_"})


def _head(clause: Clause) -> str:
    """Return the thing that a clause begins with and says something of, if it does."""
    head = ""
    for idea in clause.ideas:
        if idea in _AGENTS:
            return ""
        if idea in _CLOSING or idea[0] in "#@" or (idea[-1] == "_" and idea != "a_"):
            return head
        if idea in clause.core:
            head = idea
    return ""


_AGENTS = frozenset({"i", "we", "he", "she", "they", "it", "this", "that", "you"})


_BARE = frozenset({"new", "ny", "old", "gammal", "big", "stor", "small", "lit"})


def _is_mine_alone(one: Clause, other: Clause) -> bool:
    """Tell whether one speaks of something of mine and the other of me, without naming it."""
    if one.ideas[:1] not in (("my",), ("our",)) or other.ideas[:1] not in (("i",), ("we",)):
        return False
    head = next((idea for idea in one.ideas[1:] if idea in one.core and idea not in _BARE), None)
    if len(one.core & other.core) > 1:
        return False
    return head is not None and not kind(head) and head not in other.core | other.scope


def same_parts_of_day(before: Clause, after: Clause) -> bool:
    """Tell whether the later clause is not about another part of the day, nor about one alone."""
    return not after.dayparts or after.dayparts == before.dayparts


def differ_in_number(before: Clause, after: Clause) -> bool:
    """Tell whether both count or number something, and otherwise: "chapter one", "chapter two"."""
    one, other = (
        {quantity.amount for quantity in clause.quantities if quantity.dimension in ("plain", "code")}
        for clause in (before, after)
    )
    return bool(one and other) and one != other


def current(before: Clause, after: Clause) -> bool:
    return not (before.is_past or after.is_past)


def same_matter(one: frozenset[str], other: frozenset[str], *, loosely: bool = False) -> bool:
    """Tell whether two cores are one, but for words that name nothing else.

    Args:
        loosely: the later statement says that something changed, so its other words may tell of the change.
    """
    one, other = pair_up(one, other)
    if not one & other:
        return False
    if one == other:
        return True
    left, right = one - other, other - one
    extras = left | right
    if (
        not (left and right)
        and len(extras) <= _MOST_EXTRAS
        and not any(kind(extra) in TELLING for extra in extras)
    ):
        return True
    if loosely:
        anchored = any(
            kind(idea) in ("event", "thing", "course", "person") or len(idea) > 4 for idea in one & other
        )
        return anchored and nothing_else(one, other, loosely=True) and len(left) <= 1 and len(right) <= 3
    return False


#: So many words more may tell of the circumstances of one value.
_MOST_EXTRAS = 3


def pair_up(one: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Take a compound for its last part where the other statement has that: "skolavslutning", "avslutning"."""
    renamed = {
        long: short
        for long in one ^ other
        for short in one ^ other
        if long != short and len(short) >= 6 and long.endswith(short)
    }
    one, other = (frozenset(renamed.get(idea, idea) for idea in side) for side in (one, other))
    return (one - VERBS, other - VERBS) if one - VERBS and other - VERBS else (one, other)


VERBS = frozenset({"start", "finish", "send", "become", "spel", "play_verb", "leav", "going", "next", "inn"})


def nothing_else(one: frozenset[str], other: frozenset[str], *, loosely: bool = False) -> bool:
    """Tell whether neither side names something of a kind of which the other names another.

    Args:
        loosely: the later statement may name one thing more, as long as the earlier names none of its kind.
    """
    left, right = one - other, other - one
    clash = {kind(idea) for idea in left} & {kind(idea) for idea in right} & TELLING
    if loosely:
        return not clash and not any(kind(idea) in ("course", "person") for idea in right | left)
    return not clash and not any(kind(idea) in TELLING for idea in right)
