"""Who somebody is, as far as their memories tell, and what is open in their life: both by one reading of their facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.models import LifeFact
from memory.student.life.facts.loops import OPEN, OpenLoop, find_open, find_resting, word_loops
from memory.student.life.facts.selectors import Fact, find_newest, keep_newest, standing, word_facts, words_of
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
        first = find_open(facts, now=now)
        lasting = keep_newest(facts, PORTRAYED, kind_of=attrgetter("kind"))
        words = words_of(space, [*(fact for _, fact in first), *lasting])
        resting = find_resting(space, now=now, pursued=pursued)
    worded = word_facts(lasting, words)
    return word_loops(first, words, resting), Portrait(**{part: _tell(worded, part) for part in PARTS})


def _tell(facts: Sequence[Fact], part: str) -> tuple[str, ...]:
    """Return the words of one part; a tablet that was to be taken on one day only says nothing of a life."""
    told = [fact for fact in facts if fact.kind in PARTS[part]]
    texts = [fact.text for fact in told if fact.kind != _KIND.MEDICATION or fact.when.on is None]
    return tuple(dict.fromkeys(texts))[:MOST]
