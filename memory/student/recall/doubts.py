"""Which of the memories called to mind a request doubts: those asked for, where what perhaps took their place is asked for, too, or
put it right as soon as it was said.

Of what stands near in a memory much sounds as if it had been replaced; what must not be out of date is what answers the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from memory.reading.answers import are_both_asked_for
from memory.student.contradictions import AT_ONCE, Doubt, find_doubts
from memory.student.recall.ranking import Recalled, as_recalled, heads_for, match_rows
from memory.student.workingset import WorkingSet


def tell_doubts(
    space: UUID,
    working_set: WorkingSet,
    recalled: Sequence[Recalled],
    *,
    vector: NDArray[np.floating],
    embedder: Embedder,
) -> list[Recalled]:
    """Return the memories, those doubted that are asked for; what perhaps took the place of one comes along before it.

    Args:
        vector: (d,) of the message.
    """
    doubts = find_doubts(space, [memory.id for memory in recalled])
    doubts = {
        earlier: [doubt for doubt in found if doubt.by in working_set.row_of]
        for earlier, found in doubts.items()
    }
    later = {doubt.by for found in doubts.values() for doubt in found}
    places = _find_places(working_set, recalled, later, vector=vector, embedder=embedder)
    there = {memory.id for memory in recalled}
    found: list[Recalled] = []
    for memory in recalled:
        held = doubts.get(memory.id, [])
        at_once = [one for one in held if not one.is_slight and _is_at_once(working_set, memory.id, one.by)]
        doubt = _surest(memory.id, at_once or held, places, among=len(recalled), is_asked_for=bool(at_once))
        comes = doubt or next((one for one in held if not one.is_slight), None)
        newer = working_set.nodes[working_set.row_of[comes.by]] if comes is not None else None
        if newer is not None and newer.id not in there and not newer.of_danger:
            there.add(newer.id)
            told = as_recalled(newer, memory.gravity)
            found.append(replace(told, score=memory.score, bearing=memory.bearing))
        if doubt is not None:
            memory = replace(memory, outdated_by=doubt.by, is_slightly_doubted=doubt.is_slight)
        found.append(memory)
    return found


def _is_at_once(working_set: WorkingSet, earlier: UUID, later: UUID) -> bool:
    """Tell whether the later of two memories was said just after the other in the same conversation: "Sorry, I mean Friday" matches no question."""
    before, after = (working_set.nodes[working_set.row_of[one]].source for one in (earlier, later))
    if before is None or after is None or before.conversation is None:
        return False
    is_soon = 0 <= after.said_at - before.said_at <= AT_ONCE.total_seconds()
    return is_soon and before.conversation == after.conversation


def _surest(
    earlier: UUID,
    doubts: Sequence[Doubt],
    places: Mapping[UUID, int],
    *,
    among: int,
    is_asked_for: bool,
) -> Doubt | None:
    """Return the surest of those doubts that matter to the question, and of equals the one whose memory matches best."""
    asked_for = [
        doubt
        for doubt in doubts
        if is_asked_for
        or are_both_asked_for(places[earlier], places[doubt.by], among=among, is_slight=doubt.is_slight)
    ]
    return min(asked_for, key=lambda doubt: (doubt.is_slight, places[doubt.by]), default=None)


def _find_places(
    working_set: WorkingSet,
    recalled: Sequence[Recalled],
    later: set[UUID],
    *,
    vector: NDArray[np.floating],
    embedder: Embedder,
) -> dict[UUID, int]:
    """Return by memory how many of all that there are match the message better; 0 for all where nobody can tell."""
    heads = heads_for(vector, embedder)
    everyone = list(dict.fromkeys((*(memory.id for memory in recalled), *later)))
    if heads is None or not later:
        return dict.fromkeys(everyone, 0)
    with working_set.lock:
        rows = np.array([working_set.row_of[one] for one in everyone], dtype=np.int64)
        matches = match_rows(working_set, np.arange(len(working_set)), vector, heads)
        standing = np.sort(matches[working_set.corpus.alive])
    better = len(standing) - np.searchsorted(standing, matches[rows], side="right")
    return dict(zip(everyone, better.tolist(), strict=True))
