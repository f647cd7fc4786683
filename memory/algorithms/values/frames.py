"""Statements of one frame: the same words but for the filler of one role, or a role that the later one fills anew.

Whether another filler excludes the first depends on the role. Where something is, which make of car one drives or what
one trains for has one value; what one likes, reads or has visited has many, and an unknown frame decides nothing.
"""

from collections.abc import Callable

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.matters import current, is_another, kind, same_parts_of_day, same_time
from memory.algorithms.values.slot import SEVERAL

#: Kinds of which a thing is one at a time.
_EXCLUSIVE = frozenset({"level", "carmake", "phonemake", "colour", "daylight"})
#: Acts that are done at one place or beside one thing.
_SITTING = frozenset({"sit", "stand", "park", "sleep"})
_AT = frozenset({"in", "at", "on", "by", "near", "beside_", "under", "behind", "with"})
_AGENTS = frozenset({"i", "we", "he", "she", "they"})


def find_exchange(before: Clause, after: Clause) -> bool | None:
    """Compare clauses that differ in one stretch of words alone: "we drive a Volvo", "we drive a Kia"."""
    if not _are_comparable(before, after):
        return None
    frame = _exchange(before.ideas, after.ideas)
    if frame is None:
        return None
    lead, one, other = frame
    left = [idea for idea in one if idea in before.core]
    right = [idea for idea in other if idea in after.core]
    if {"in", "at", "on"} & {*one, *other} or not left or not right or len(left) > _LONGEST_FILLER or len(right) > _LONGEST_FILLER:
        return None
    if _kinds_of(left) & _kinds_of(right) & _EXCLUSIVE and "like" not in before.ends:
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
    spot = lead.index("be") if "be" in lead else 0
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
    return True if at and before.ideas[at - 1] in ("my", "our") and {"be", "called_"} & set(before.ideas) else None


_ANIMAL = frozenset({"egg", "cheese", "milk", "butter", "honey", "chicken", "pork", "meat", "salmon", "steak", "fish"})
_FLESH = frozenset({"chicken", "pork", "meat", "steak"})


def find_diet(before: Clause, after: Clause) -> bool | None:
    """Look for what a diet leaves out: a vegan who eats cheese."""
    if before.ends.get("meat") != -1 or before.is_past or before.owner != after.owner or after.denied:
        return None
    if "eat" not in after.core or after.is_past or after.scope:
        return None
    eaten = after.core & (_ANIMAL if "vegan_" in before.ideas else _FLESH)
    return True if eaten and after.ends.get("like") != -1 else None


TESTS: tuple[Callable[[Clause, Clause], bool | None], ...] = (find_exchange, find_replaced, find_diet)
