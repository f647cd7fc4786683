"""Statements that exclude each other without a slot: denied, opposite, another number or date, over or called off.

Each test takes an earlier and a later clause and returns True where the later one surely ends the earlier, False where
a person should look, None where both can hold.
"""

from collections.abc import Callable

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.matters import (
    HARMLESS,
    TELLING,
    core,
    current,
    differ_in_number,
    is_another,
    kind,
    same_parts_of_day,
    same_time,
)

#: Ends that a person has one of at a time, whatever else the statement says.
_STATES = frozenset(
    {"together", "married", "employed", "meat", "handed", "early", "athome", "ownfirm", "rural"}
)


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
    out_of_work = before.ends.get("employed") == -1 and bool(
        {"workas_", "workat_", "startat_"} & set(after.ideas)
    )
    works = {"workas_", "workat_"} & set(before.ideas) or any(kind(idea) == "job" for idea in before.core)
    if "noallergy_" in before.ideas and after.ends.get("tolerate") == -1:
        return True
    lost = after.ends.get("employed") == -1 and works and "become_" not in before.ideas
    ends_couple = before.ends.get("together") == 1 and after.ends.get("married") == -1
    if ends_couple and before.persons == after.persons:
        return True
    return True if out_of_work or lost else None


def find_opposite(before: Clause, after: Clause) -> bool | None:
    """Compare two ends of one matter: likes and hates, long and short, can and cannot."""
    was_never = {"have", "never"} <= set(before.ideas) and not before.scope
    not_yet = before.denied and not before.is_past and "have" in before.ideas and not before.scope
    if not (was_never or not_yet or current(before, after)) or before.is_whole or after.is_whole:
        return None
    if is_another(before, after) or differ_in_number(before, after):
        return None
    if not (not_yet or same_parts_of_day(before, after)) or _is_only_wanted(before, after):
        return None
    if _is_prefixed(before, after):
        return True
    axes = (before.ends.keys() & after.ends.keys()) - _STATES
    opposite = [axis for axis in axes if before.ends[axis] != after.ends[axis]]
    if opposite:
        one, other = core(before), core(after)
        if opposite[0] == "often" and one != other:
            return None
        empty_ok = opposite[0] in _ALONE
        if not (empty_ok or (one and other)) or not (one <= other or other <= one):
            return None
        if other < one and opposite[0] in _LEANINGS and not after.is_changed and _specific(one - other):
            return None
        if _is_narrower(after, one, other - one) or _is_narrower(before, other, one - other):
            return None
        if other < one and before.ends[opposite[0]] < 0 and opposite[0] in _LEANINGS:
            return None
        if before.owner != after.owner or not after.persons <= before.persons:
            return None
        narrowed = after.scope != before.scope or not same_time(before, after) or other > one
        if other > one and opposite[0] not in _LEANINGS and _adds_only_why(one, other):
            narrowed = after.scope != before.scope or before.when.weekdays != after.when.weekdays
        if narrowed and other > one and before.ends[opposite[0]] < 0 and opposite[0] not in _LEANINGS:
            narrowed = False
        return None if narrowed else True
    if _other_ends(before) or _other_ends(after) or before.denied == after.denied:
        return None
    return _denied(before, after)


def _specific(ideas: frozenset[str]) -> bool:
    """Tell whether words make a leaning one of something special, which a general one leaves standing."""
    return any(kind(idea) not in ("verb", "person") for idea in ideas)


_WANTING = frozenset({"want", "become_"})


def _is_only_wanted(before: Clause, after: Clause) -> bool:
    """Tell whether one wants what the other says is not so: "I can't draw", "I want to be good at drawing"."""
    for one, other in ((before, after), (after, before)):
        so = {"have", "be", "can"} & set(other.ideas) and "want" not in other.ends
        if _WANTING & set(one.ideas) and not _WANTING & set(other.ideas) and so:
            return True
    return False


def _other_ends(clause: Clause) -> bool:
    return bool(clause.ends.keys() - {"often"})


def _adds_only_why(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether what the later statement says more names nothing else: "closed for repairs"."""
    return len(other - one) <= 2 and not any(kind(idea) in TELLING for idea in other - one)


_PREFIXES = ("un", "in", "dis", "o", "miss")


def _is_prefixed(before: Clause, after: Clause) -> bool:
    """Tell whether two clauses differ in one word's denying prefix alone: "happy", "unhappy"; "nöjd", "missnöjd"."""
    if before.denied != after.denied or before.scope != after.scope or not same_time(before, after):
        return False
    left, right = before.core - after.core, after.core - before.core
    if len(left) != 1 or len(right) != 1 or before.owner != after.owner:
        return False
    (short, long) = sorted((*left, *right), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _PREFIXES)


def _denied(before: Clause, after: Clause) -> bool | None:
    """Compare a plain statement with its denial."""
    one, other = _widen(core(before), core(after))
    if before.denied:
        other -= _told_beside(after, one)
    if not one or not other or not _same_subject_widened(before, after, one, other):
        return None
    if before.denied and {"any", "never"} & set(before.ideas) and one <= other and not before.scope:
        return True
    if before.denied:
        extras = other - one
        days, other_days = before.when.weekdays, after.when.weekdays
        if days and other_days and days != other_days:
            return None
        if _is_narrower(after, one, extras):
            return None
        if not one <= other or any(kind(extra) in TELLING for extra in extras) or len(extras) > 2:
            return None
        return True if not before.scope or before.scope == after.scope else None
    if (
        before.marks
        or _DAYS & set(before.ideas) - set(after.ideas)
        or _is_narrower(before, other, one - other)
    ):
        return None
    if not other <= one or after.scope != before.scope - {"until"}:
        return None
    return True if same_time(before, after) or not after.when.fields() else None


def _told_beside(after: Clause, one: frozenset[str]) -> frozenset[str]:
    """Return what stands after an opener of a reason or an occasion, beyond what was denied: "for my birthday"."""
    seen = False
    for spot, idea in enumerate(after.ideas):
        seen = seen or idea in one
        if seen and idea in ("for", "from", "because", "since", "after"):
            return frozenset(after.ideas[spot:]) - one
    return frozenset()


def _is_narrower(after: Clause, one: frozenset[str], extras: frozenset[str]) -> bool:
    """Tell whether a word stands right before what was denied and makes another thing of it: "oat milk"."""
    for left, right in zip(after.ideas, after.ideas[1:], strict=False):
        plain = left in HARMLESS or left in _COMMON or kind(left) in ("colour", "verb", "person", "daypart")
        if right in one and left in extras and not plain and kind(right) in _SORTED:
            return True
        if left in one and right in extras and kind(left) not in ("", "verb") and right not in HARMLESS:
            return True
    return False


#: Kinds of which a word before makes another thing: "oat milk", "air guitar".
_SORTED = frozenset({"food", "sport", "instrument", "course"})
#: What may be said of a thing without making another one of it.
_COMMON = frozenset(
    {
        "new",
        "ny",
        "nyt",
        "small",
        "lit",
        "big",
        "stor",
        "own",
        "eg",
        "egt",
        "old",
        "gammal",
        "nic",
        "fin",
        "real",
    }
)


#: Days as one speaks of them: what holds of one is not denied by a denial of another.
_DAYS = frozenset({"tomorrow", "tonight", "toda", "imorgon", "ikväl", "idag"})


def _same_subject_widened(before: Clause, after: Clause, one: frozenset[str], other: frozenset[str]) -> bool:
    return before.owner == after.owner or (bool({"pet", "sibling"} & one & other) and before.owner == "me")


def _widen(one: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Take a kitten for a pet where the other statement speaks of pets, a brother for a sibling likewise."""
    for wide in _WIDER & (one | other):
        one, other = (
            frozenset(wide if _is_a(idea, wide) else idea for idea in side) for side in (one, other)
        )
    return one, other


#: Words for a whole kind of things: who has none of it has none of them.
_WIDER = frozenset({"pet", "sibling", "alcohol", "instrument", "sport"})


def _is_a(idea: str, wide: str) -> bool:
    return idea in ("sister", "brother") if wide == "sibling" else kind(idea) == wide


def find_without(before: Clause, after: Clause) -> bool | None:
    """Compare "with" and "without" the same: "explain with examples", "explain without examples"."""
    if not current(before, after) or before.owner != after.owner or before.denied or after.denied:
        return None
    for one, other in ((before, after), (after, before)):
        left_out = one.scope - {"without"}
        if "without" in one.scope and "with" in other.ideas and left_out and left_out <= other.core:
            rest = other.core - left_out - HARMLESS
            return True if rest and rest == one.core - HARMLESS else None
    return None


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


TESTS: tuple[Callable[[Clause, Clause], bool | None], ...] = (
    find_state, find_opposite, find_without, find_reversal,
)  # fmt: skip
