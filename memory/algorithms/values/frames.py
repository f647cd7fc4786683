"""Statements of one frame: the same words but for the filler of one role, or a role that the later one fills anew.

Whether another filler excludes the first depends on the role. Where something is, which make of car one drives or what
one trains for has one value; what one likes, reads or has visited has many, and an unknown frame decides nothing.
"""

from collections.abc import Callable

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.matters import current, is_another, kind, same_parts_of_day, same_time
from memory.algorithms.values.slot import SEVERAL

#: Kinds of which a thing is one at a time.
_EXCLUSIVE = frozenset({"level", "carmake", "phonemake", "position"})
#: Acts that are done at one place or beside one thing.
_SITTING = frozenset({"sit", "stand", "park", "sleep"})
_AT = frozenset({"in", "at", "on", "by", "near", "beside_", "under", "behind", "with"})
_PLACED = frozenset({"be", "practise", "train", "meet"})
_AGENTS = frozenset({"i", "we", "he", "she", "they"})


def find_exchange(before: Clause, after: Clause) -> bool | None:
    """Compare clauses that differ in one stretch of words alone: "we drive a Volvo", "we drive a Kia"."""
    if not _are_comparable(before, after):
        return None
    frame = _exchange(before.ideas, after.ideas)
    if frame is None:
        return None
    lead, one, other = frame
    if one[0] in _AT and other[0] in _AT:
        lead, one, other = (*lead, one[0]), one[1:], other[1:]
    left = [idea for idea in one if idea in before.core]
    right = [idea for idea in other if idea in after.core]
    if (
        {"in", "at", "on"} & {*one, *other}
        or not left
        or not right
        or len(left) > _LONGEST_FILLER
        or len(right) > _LONGEST_FILLER
    ):
        return None
    clash = _kinds_of(left) & _kinds_of(right)
    if (clash & _EXCLUSIVE and not before.ends) or ("colour" in clash and lead[-1] == "be"):
        return True
    return True if _is_at(lead, before) and not set(left) & set(right) else None


#: A filler of more words is another statement.
_LONGEST_FILLER = 3


def _are_comparable(before: Clause, after: Clause) -> bool:
    return (
        current(before, after)
        and before.owner == after.owner
        and before.denied == after.denied
        and not before.denied
        and before.scope == after.scope
        and same_time(before, after)
        and same_parts_of_day(before, after)
        and not is_another(before, after)
    )


def _exchange(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None:
    """Return what stands before the one stretch in which two glosses differ, and both stretches."""
    if one == other or abs(len(one) - len(other)) > 2:
        return None
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    return (one[:start], left, right) if start >= 2 and left and right else None


def _kinds_of(ideas: list[str]) -> frozenset[str]:
    return frozenset(kind(idea) for idea in ideas) - {""}


def _is_at(lead: tuple[str, ...], clause: Clause) -> bool:
    """Tell whether the stretch after `lead` says where one thing is, or where somebody sits."""
    if lead[-1] not in _AT or lead[-1] == "with":
        return False
    if _SITTING & set(lead):
        return True
    spot = next((spot for spot, idea in enumerate(lead) if idea in _PLACED), 0)
    return spot > 0 and lead[spot + 1 :] == (lead[-1],) and not _AGENTS & set(lead[:spot])


def find_replaced(before: Clause, after: Clause) -> bool | None:
    """Look for a new one of what one has one of: "my boss is Ann", "I've got a new boss"."""
    if not {"have", "new"} <= set(after.ideas) or before.is_past or after.denied or before.denied:
        return None
    spot = after.ideas.index("new") + 1
    what = after.ideas[spot] if spot < len(after.ideas) else ""
    if what not in after.core or what in SEVERAL or what not in before.ideas or "new" in before.ideas:
        return None
    at = before.ideas.index(what)
    return (
        True
        if at and before.ideas[at - 1] in ("my", "our") and {"be", "called_"} & set(before.ideas)
        else None
    )


#: Foods by where they come from; vegans leave out the last two too.
_FLESH = frozenset({"flesh"})
_ANIMAL = _FLESH | {"dairy", "seafood"}
_FLESH_FOODS = frozenset({"chicken", "pork", "meat"})
_ANIMAL_FOODS = _FLESH_FOODS | {"egg", "cheese", "milk", "fish", "shellfish"}


def find_diet(before: Clause, after: Clause) -> bool | None:
    """Look for what a diet leaves out: a vegan who eats cheese."""
    if before.ends.get("meat") != -1 or before.is_past or before.owner != after.owner or after.denied:
        return None
    if "eat" not in after.core or after.is_past or after.scope:
        return None
    kinds, foods = (_ANIMAL, _ANIMAL_FOODS) if "vegan_" in before.ideas else (_FLESH, _FLESH_FOODS)
    eaten = any(kind(idea) in kinds or idea in foods for idea in after.core)
    return True if eaten and after.ends.get("like") != -1 else None


TESTS: tuple[Callable[[Clause, Clause], bool | None], ...] = (find_exchange, find_replaced, find_diet)
