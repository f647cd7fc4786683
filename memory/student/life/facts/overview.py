"""What is open and who somebody is, by one reading of their facts."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.student.life.facts.loops import OPEN, OpenLoop, find_open, find_resting, word_loops
from memory.student.life.facts.portrait import PORTRAYED, Portrait, portray, portrayed
from memory.student.life.facts.selectors import find_newest, standing, words_of
from memory.student.life.goals import ShownGoal

#: of each kind so many facts as either wants
WANTED = {**PORTRAYED, **OPEN}


def loops_and_portrait(
    space: UUID, *, now: datetime, pursued: Sequence[ShownGoal] | None = None
) -> tuple[list[OpenLoop], Portrait]:
    """Return what `open_loops` and `portrait` tell. The space is unlocked by the caller.

    Args:
        pursued: every goal that is pursued, where they were read already.
    """
    with space_scope(space):
        rows = standing(space).filter(closed_at__isnull=True, noted_at__lte=now)
        facts = find_newest(space, rows, WANTED)
        first, lasting = find_open(facts, now=now), portrayed(facts)
        words = words_of(space, [*(fact for _, fact in first), *lasting])
        resting = find_resting(space, now=now, pursued=pursued)
    return word_loops(first, words, resting), portray(lasting, words)
