"""Statements that exclude each other without a slot: denied, opposite, another number or date, over or called off.

Each test takes an earlier and a later clause and returns True where the later one surely ends the earlier, False where
a person should look, None where both can hold.
"""

from collections.abc import Callable

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.matters import TELLING, core, current, kind, same_subject, same_time

#: Ends that a person has one of at a time, whatever else the statement says.
_STATES = frozenset({"together", "married", "employed", "meat", "handed", "early", "athome"})


#: Ends that are a leaning: a circumstance in the later statement leaves the earlier general one standing.
_LEANINGS = frozenset({"like", "fear", "skill", "ease", "fun", "want", "sound", "company"})


#: Ends that need no object to be about the same.
_ALONE = frozenset({"sound", "company", "well", "front"})


def find_state(before: Clause, after: Clause) -> bool | None:
    """Compare states that one has one of: together or single, married or divorced, in work or out of it."""
    if before.owner != after.owner or before.is_past or before.is_whole or after.is_whole:
        return None
    for axis in _STATES & before.ends.keys() & after.ends.keys():
        if before.ends[axis] != after.ends[axis]:
            return not (before.names and after.names) or bool(before.names & after.names)
    if "@partner" in before.marks and after.ends.get("together") == -1:
        return not (before.names and after.names) or bool(before.names & after.names)
    out_of_work = before.ends.get("employed") == -1 and {"workas_", "workat_"} & set(after.ideas)
    lost = after.ends.get("employed") == -1 and {"workas_", "workat_"} & set(before.ideas)
    return True if out_of_work or lost else None


def find_opposite(before: Clause, after: Clause) -> bool | None:
    """Compare two ends of one matter: likes and hates, long and short, can and cannot."""
    was_never = {"have", "never"} <= set(before.ideas) and not before.scope
    if not (was_never or current(before, after)) or before.is_whole or after.is_whole:
        return None
    if _is_prefixed(before, after):
        return True
    axes = before.ends.keys() & after.ends.keys() - _STATES
    opposite = [axis for axis in axes if before.ends[axis] != after.ends[axis]]
    if opposite:
        one, other = core(before), core(after)
        empty_ok = opposite[0] in _ALONE
        if not (empty_ok or (one and other)) or not (one <= other or other <= one):
            return None
        if other < one and before.ends[opposite[0]] < 0 and opposite[0] in _LEANINGS:
            return None
        if not same_subject(before, after):
            return None
        narrowed = after.scope != before.scope or not same_time(before, after) or other > one
        if narrowed and other > one and before.ends[opposite[0]] < 0 and opposite[0] not in _LEANINGS:
            narrowed = False
        return None if narrowed else True
    if before.ends or after.ends or before.denied == after.denied:
        return None
    return _denied(before, after)


_PREFIXES = ("un", "in", "dis", "o", "miss")


def _is_prefixed(before: Clause, after: Clause) -> bool:
    """Tell whether two clauses differ in one word's denying prefix alone: "happy", "unhappy"; "nöjd", "missnöjd"."""
    if before.denied != after.denied or before.scope != after.scope or not same_time(before, after):
        return False
    left, right = before.core - after.core, after.core - before.core
    if len(left) != 1 or len(right) != 1 or before.owner != after.owner:
        return False
    (short, long) = sorted((*left, *right), key=len)
    return len(short) > 3 and any(long == prefix + short for prefix in _PREFIXES)


def _denied(before: Clause, after: Clause) -> bool | None:
    """Compare a plain statement with its denial."""
    one, other = _widen(core(before), core(after))
    if not one or not other or not _same_subject_widened(before, after, one, other):
        return None
    if before.denied and {"any", "never"} & set(before.ideas) and one <= other and not before.scope:
        return True
    if before.denied:
        extras = other - one
        if not one <= other or any(kind(extra) in TELLING for extra in extras) or len(extras) > 2:
            return None
        return True if not before.scope or before.scope == after.scope else None
    if not other <= one or after.scope != before.scope:
        return None
    return True if same_time(before, after) or not after.when.fields() else None


def _same_subject_widened(before: Clause, after: Clause, one: frozenset[str], other: frozenset[str]) -> bool:
    return before.owner == after.owner or (bool({"pet", "sibling"} & one & other) and before.owner == "me")


def _widen(one: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Take a kitten for a pet where the other statement speaks of pets, a brother for a sibling likewise."""
    if "pet" in one | other:
        one, other = (
            frozenset("pet" if kind(idea) == "pet" else idea for idea in side) for side in (one, other)
        )
    if "sibling" in one | other:
        kin = {"sister", "brother"}
        one, other = (frozenset("sibling" if idea in kin else idea for idea in side) for side in (one, other))
    return one, other


def find_reversal(before: Clause, after: Clause) -> bool | None:
    """Compare comparisons: "A is better than B", "B is better than A"."""
    if "than" not in before.ideas or "than" not in after.ideas or before.core != after.core:
        return None
    if not current(before, after) or before.denied != after.denied:
        return None
    first, second = (_sides(clause) for clause in (before, after))
    return True if first and second and first[0] == second[1] and first[1] == second[0] else None


def _sides(clause: Clause) -> tuple[frozenset[str], frozenset[str]] | None:
    spot = clause.ideas.index("than")
    left = frozenset(i for i in clause.ideas[:spot] if kind(i) or i in clause.names) & clause.core
    right = frozenset(i for i in clause.ideas[spot:] if i in clause.core)
    return (left, right) if left and right and not left & right else None


TESTS: tuple[Callable[[Clause, Clause], bool | None], ...] = (find_state, find_opposite, find_reversal)
