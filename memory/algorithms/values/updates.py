"""Statements that a later one puts right: another number or date, moved, over, called off, carried out, replaced.

Each test returns True where the later clause surely ends the earlier, False where a person should look, else None."""

from collections.abc import Callable

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.matters import (
    HARMLESS,
    core,
    current,
    holder,
    is_another,
    kind,
    matter,
    nothing_else,
    same_matter,
    same_subject,
)
from memory.algorithms.values.quantities import Quantity


def find_done(before: Clause, after: Clause) -> bool | None:
    """Look for a plan that has been carried out: "I need to buy a bike", "I have bought a bike"."""
    if (
        not {"need", "must", "will"} & set(before.ideas)
        or before.denied
        or after.denied
        or before.owner != after.owner
    ):
        return None
    if (
        not ("have" in after.ideas or after.is_told or after.is_past or "done" in after.ends)
        or "have" in before.ideas
        or {"need", "must", "will"} & set(after.ideas)
    ):
        return None
    one, other = core(before) - {"need"}, core(after)
    if after.ends.get("done") == 1 and other and other <= one:
        return True
    return True if len(one) > 1 and one <= other and not before.is_shared else None


def find_amount(before: Clause, after: Clause) -> bool | None:
    """Compare the one number of each statement where all else is the same."""
    if not current(before, after) or before.owner != after.owner or before.denied != after.denied:
        return None
    if before.scope != (frozenset() if "after" in after.scope else after.scope) or not _same_day(
        before, after
    ):
        return None
    pair = _one_pair(before.quantities, after.quantities)
    if pair is None or pair[0].agrees(pair[1]):
        return None
    if (
        is_another(before, after)
        or before.ends.keys() & after.ends.keys() & {"ease", "fun"}
        or _adds_before_copula(before, after)
    ):
        return None
    one, other = matter(before), matter(after)
    if all(quantity.dimension == "code" for clause in (before, after) for quantity in clause.quantities):
        return (
            True if "goto_" in before.ideas and "goto_" in after.ideas else (same_matter(one, other) or None)
        )
    return True if same_matter(one, other, loosely=after.is_changed) else None


def _adds_before_copula(before: Clause, after: Clause) -> bool:
    """Tell whether one names its subject with a word more: "my room", "our laundry room"."""
    subjects = [
        frozenset(idea for idea in clause.ideas[: clause.ideas.index("be")] if idea in clause.core - HARMLESS)
        for clause in (before, after)
        if "be" in clause.ideas
    ]
    return len(subjects) == 2 and bool(subjects[0] & subjects[1]) and len(subjects[0]) != len(subjects[1])


def _one_pair(one: tuple[Quantity, ...], other: tuple[Quantity, ...]) -> tuple[Quantity, Quantity] | None:
    """Return the two amounts in which statements differ, where it is one pair of one dimension."""
    left, right = list(one), list(other)
    for quantity in one:
        match = next((found for found in right if found.agrees(quantity)), None)
        if match is not None:
            left.remove(quantity)
            right.remove(match)
    if len(left) != 1 or len(right) != 1 or not left[0].measures_like(right[0]):
        return None
    return left[0], right[0]


def _same_day(before: Clause, after: Clause) -> bool:
    """Tell whether two clauses speak of the same days, the time of day left aside."""
    one, other = (
        {k: v for k, v in clause.when.fields().items() if k != "clock"} for clause in (before, after)
    )
    return one == other or (not one and "since" in after.ideas)


def find_date(before: Clause, after: Clause) -> bool | None:
    """Compare the dates of one event: "the exam is on 3 June", "the exam is on 10 June"."""
    if not current(before, after) or not same_subject(before, after) or before.denied or after.denied:
        return None
    one, other = before.when.fields(), after.when.fields()
    if is_another(before, after) or (before.when.season is None) != (after.when.season is None):
        return None
    if not after.is_changed and not (_is_event(before) and _is_event(after)):
        return None
    if before.ends != after.ends:
        return None
    differing = [name for name in one.keys() & other.keys() if one[name] != other[name]]
    if not differing or (before.scope | after.scope) & {"when", "if"}:
        return None
    at_once = {"weekdays", "clock"} <= set(differing) and not after.is_changed
    if at_once and not any(kind(idea) == "event" for idea in before.core):
        return None
    return True if same_matter(core(before), core(after), loosely=after.is_changed) else None


def _is_event(clause: Clause) -> bool:
    """Tell whether a clause dates one event that is known to both: "the exam", not "an exam"."""
    ideas = set(clause.ideas)
    if {"had", "a_"} & ideas or ("have" in ideas and not {"my", "our"} & ideas):
        return False
    if any(kind(idea) == "event" for idea in clause.core) or not {"i", "we", "he", "she"} & ideas:
        return True
    return clause.when.day is not None or (clause.when.month is not None and len(clause.core) > 1)


def find_ending(before: Clause, after: Clause) -> bool | None:
    """Look for what the later statement says is called off, moved, gone or given up."""
    marks = after.marks - before.marks
    if (
        not marks
        or (after.denied and "@stopped" not in marks)
        or before.is_past
        or before.denied
        or holder(before) != holder(after)
    ):
        return None
    if before.marks - {"@partner"} or -1 in before.ends.values():
        return None
    one, other = core(before), _ended(after, marks) & core(after)
    shared = one & other
    if not any(kind(idea) or idea in before.names | after.names or len(idea) > 2 for idea in shared):
        return None
    if not nothing_else(one, other) or len(other - one) > 1:
        return None
    if "@rescheduled" in marks:
        return _was_moved(before, after)
    return True


def _ended(after: Clause, marks: frozenset[str]) -> frozenset[str]:
    """Return what is said to be over, without to whom or where it went: "I sold my bike to a boy in year nine"."""
    spot = next(spot for spot, idea in enumerate(after.ideas) if idea in marks)
    gone = frozenset(after.ideas[:spot]) & after.core
    if gone and not marks & {"@off", "@rescheduled"}:
        return gone
    found: list[str] = []
    for idea in after.ideas[spot + 1 :]:
        if idea in _AWAY and found:
            break
        found.append(idea)
    ended = frozenset(found) & after.core
    return ended if ended and not marks & {"@off", "@rescheduled"} else after.core


_AWAY = frozenset({"to", "for", "in", "on", "at", "from", "because", "and", "after", "outsid", "outside"})


def _was_moved(before: Clause, after: Clause) -> bool | None:
    one, other = before.when.fields(), after.when.fields()
    if not one:
        return None
    shared = one.keys() & other.keys()
    return None if shared and all(one[name] == other[name] for name in shared) else True


def find_dropped(before: Clause, after: Clause) -> bool | None:
    """Look for "B instead of A" after "A"."""
    if not after.dropped or before.denied or before.is_past or before.owner != after.owner:
        return None
    if not after.dropped <= before.core:
        return None
    return True if (before.core - after.dropped) & after.core else None


def find_place(before: Clause, after: Clause) -> bool | None:
    """Compare where one thing is or happens: "practice is at A", "practice is at B"."""
    if not current(before, after) or before.denied or after.denied or before.owner != after.owner:
        return None
    one, other = _placed(before), _placed(after)
    if (
        one is None
        or other is None
        or one[1] & other[1]
        or not _same_day(before, after)
        or before.scope != after.scope
    ):
        return None
    named = all(
        where & clause.names or any(kind(idea) == "site" or idea == "pe" for idea in where)
        for where, clause in ((one[1], before), (other[1], after))
    )
    return True if named and one[0] == other[0] else None


_SITED = frozenset({"be", "train", "meet", "sit", "stand", "park", "live", "practise"})


def _placed(clause: Clause) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return what is somewhere, and where, as ideas; None where a clause says no such thing."""
    ideas = clause.ideas
    acts = [spot for spot, idea in enumerate(ideas) if idea in _SITED]
    spots = [
        spot for spot, idea in enumerate(ideas) if idea in ("in", "at", "on") and acts and spot > acts[0]
    ]
    if not spots or "have" in ideas or "live" in ideas:
        return None
    what = frozenset(idea for idea in ideas[: spots[0]] if idea in clause.core)
    where = frozenset(idea for idea in ideas[spots[0] :] if idea in clause.core)
    return (what, where) if what and where else None


def find_return(before: Clause, after: Clause) -> bool | None:
    """Look for what was gone and has been found: "my bike was stolen", "they found my bike"."""
    if "@gone" not in before.marks or after.ends.get("found") != 1:
        return None
    return True if any(kind(idea) for idea in core(before) & core(after)) else None


TESTS: tuple[Callable[[Clause, Clause], bool | None], ...] = (
    find_amount, find_date, find_done, find_ending, find_dropped, find_place, find_return,
)  # fmt: skip
