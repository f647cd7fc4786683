"""Who somebody is, as far as their memories tell, and what is open in their life: both by one reading of their facts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.models import LifeFact
from memory.student.life.facts.loops import OPEN, OpenLoop, find_open, find_resting, word_loops
from memory.student.life.facts.selectors import Fact, find_newest, standing, word_facts, words_of
from memory.student.life.goals import ShownGoal

_KIND = LifeFact.Kind
#: what each part is told by; what somebody takes belongs to how their health is
PARTS: dict[str, tuple[LifeFact.Kind, ...]] = {
    "family": (_KIND.FAMILY,),
    "routines": (_KIND.ROUTINE,),
    "health": (_KIND.HEALTH, _KIND.MEDICATION),
    "preferences": (_KIND.PREFERENCE,),
}
#: the longest a part may be, and how many facts of a kind are looked at for it
MOST, READ = 12, 18
#: of each kind that a portrait is made of, how many facts are looked at
PORTRAYED: Mapping[str, int] = {kind: READ for part in PARTS.values() for kind in part}
#: of each kind so many facts as either wants
WANTED = {**PORTRAYED, **OPEN}


@dataclass(frozen=True, kw_only=True)
class Portrait:
    """What is known of somebody, in their own words, the newest first."""

    family: tuple[str, ...] = ()
    routines: tuple[str, ...] = ()
    health: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()


def loops_and_portrait(
    space: UUID, *, now: datetime, pursued: Sequence[ShownGoal] | None = None
) -> tuple[list[OpenLoop], Portrait]:
    """Return what is open by `now`, the most pressing first, and who somebody is. The space is unlocked by the caller.

    Args:
        pursued: every goal that is pursued, where they were read already.
    """
    with space_scope(space):
        rows = standing(space).filter(closed_at__isnull=True, noted_at__lte=now)
        facts = find_newest(space, rows, WANTED)
        first, lasting = find_open(facts, now=now), _portrayed(facts)
        words = words_of(space, [*(fact for _, fact in first), *lasting])
        resting = find_resting(space, now=now, pursued=pursued)
    worded = word_facts(lasting, words)
    return word_loops(first, words, resting), Portrait(**{part: _tell(worded, part) for part in PARTS})


def _portrayed(facts: Iterable[Fact]) -> list[Fact]:
    """Return those that a portrait is made of, of facts that are given the newest first."""
    counts: Counter[str] = Counter()
    found = []
    for fact in facts:
        counts[fact.kind] += 1
        if counts[fact.kind] <= PORTRAYED.get(fact.kind, 0):
            found.append(fact)
    return found


def _tell(facts: Sequence[Fact], part: str) -> tuple[str, ...]:
    texts = [fact.text for fact in facts if fact.kind in PARTS[part] and not _is_over(fact)]
    return tuple(dict.fromkeys(texts))[:MOST]


def _is_over(fact: Fact) -> bool:
    """Tell whether it was about one day only: a tablet that was to be taken then says nothing of a life."""
    return fact.kind == _KIND.MEDICATION and fact.when.on is not None
