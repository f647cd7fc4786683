"""What stands around each memory: its neighbours in the conversation and its session. Pure numpy.

A word-for-word transcript has a memory per turn; what formation keeps has gaps, several memories from one message,
and facts from no conversation at all. So neighbours are counted in turns, not in rows: two memories whose turns are
five apart are strangers even if nothing between them was kept, and memories of one message are each other's closest.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float32]

#: Rows looked at on each side, in order of position. More would matter only to a message of many statements.
REACH_ROWS = 3


@dataclass(frozen=True)
class Surroundings:
    """Neighbours and sessions of n rows.

    Attributes:
        neighbours: (m, n) int64, row numbers; where there is none, the row itself.
        gaps: (m, n) int64, turns from the neighbour to the row: above 0, it was said before. NO_NEIGHBOUR: there is
            none.
        session_order: (n,) int64, the live rows with a session, session by session, then all others.
        session_starts: (s,) int64, where each session starts in `session_order`.
        in_session: how many entries of `session_order` have a session.
    """

    neighbours: IntArray
    gaps: IntArray
    session_order: IntArray
    session_starts: IntArray
    in_session: int

    def highest_in_session(self, values: FloatArray) -> FloatArray:
        """Return (..., n) for each row the highest of (..., n) `values` in its session; a row without one keeps its own."""
        highest = values.copy()
        if self.in_session:
            rows = self.session_order[: self.in_session]
            peaks = np.maximum.reduceat(values[..., rows], self.session_starts, axis=-1)
            highest[..., rows] = np.repeat(peaks, self._session_sizes(), axis=-1)
        return highest

    def place_in_session(self, scores: FloatArray) -> IntArray:
        """Return (n,) for each row how many of its session score higher (ties: the lower row first); 0 without one."""
        place = np.zeros(len(scores), np.int64)
        if self.in_session:
            sizes = self._session_sizes()
            rows = self.session_order[: self.in_session]
            session = np.repeat(np.arange(len(sizes)), sizes)
            ranked = rows[np.lexsort((rows, -scores[rows], session))]
            place[ranked] = np.arange(len(rows)) - np.repeat(self.session_starts, sizes)
        return place

    def _session_sizes(self) -> IntArray:
        return np.diff(self.session_starts, append=self.in_session)


#: A gap wider than any kernel.
NO_NEIGHBOUR = 1 << 40


def find_surroundings(
    *, conversation: IntArray, session: IntArray, position: IntArray, alive: NDArray[np.bool_]
) -> Surroundings:
    """Return the neighbours and sessions of n rows.

    Args:
        conversation: (n,) a number per conversation; below 0: none, so no neighbours.
        session: (n,) a number per session of a space; below 0: none. Neighbours share both.
        position: (n,) the turn a row came from, counted within its conversation.
        alive: (n,) False for rows that are gone; they are nobody's neighbour.
    """
    rows = np.flatnonzero(alive & (conversation >= 0))
    ordered = rows[np.lexsort((rows, position[rows], session[rows], conversation[rows]))]
    neighbours, gaps = [], []
    for step in [*range(1, REACH_ROWS + 1), *range(-REACH_ROWS, 0)]:
        other, gap = _at_step(ordered, step, conversation, session, position)
        neighbours.append(other)
        gaps.append(gap)
    in_session = np.flatnonzero(alive & (session >= 0))
    order = in_session[np.argsort(session[in_session], kind="stable")]
    starts = np.flatnonzero(np.diff(session[order], prepend=-1))
    return Surroundings(np.array(neighbours), np.array(gaps), order, starts, len(order))


def _at_step(
    ordered: IntArray, step: int, conversation: IntArray, session: IntArray, position: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the row `step` places earlier in the conversation (later if negative) and its gap, for every row."""
    neighbour = np.arange(len(conversation), dtype=np.int64)
    gap = np.full(len(conversation), NO_NEIGHBOUR, np.int64)
    later, earlier = ordered[abs(step) :], ordered[: max(len(ordered) - abs(step), 0)]
    together = (conversation[later] == conversation[earlier]) & (session[later] == session[earlier])
    here, there = (later, earlier) if step > 0 else (earlier, later)
    here, there = here[together], there[together]
    neighbour[here], gap[here] = there, position[here] - position[there]
    return neighbour, gap
