"""What stands around each memory: its neighbours in the conversation and its session. Pure numpy.

A word-for-word transcript has a memory per turn; what formation keeps has gaps, several memories from one message,
and facts from no conversation at all. So neighbours are counted in turns, not in rows: two memories whose turns are
five apart are strangers even if nothing between them was kept, and memories of one message are each other's closest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

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
    _shares: dict[tuple[tuple[int, float], ...], list[tuple[IntArray, FloatArray]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def shares(self, near: dict[int, float]) -> Sequence[tuple[IntArray, FloatArray]]:
        """Return pairs of (n,) neighbours and (n,) their weights, leaving out steps where no row has any.

        Args:
            near: gap in turns → weight; gaps it does not name weigh nothing. Worked out once for each kernel.
        """
        key = tuple(sorted(near.items()))
        if key not in self._shares:
            weights = (_kernel(gaps, near) for gaps in self.gaps)
            pairs = zip(self.neighbours, weights, strict=True)
            self._shares[key] = [(neighbours, share) for neighbours, share in pairs if share.any()]
        return self._shares[key]

    def highest_in_session(self, values: FloatArray) -> FloatArray:
        """Return (..., n) for each row the highest of (..., n) `values` in its session; a row without one keeps its own."""
        highest = values.copy()
        if self.in_session:
            rows = self.session_order[: self.in_session]
            peaks = np.maximum.reduceat(values[..., rows], self.session_starts, axis=-1)
            highest[..., rows] = peaks[..., self._session_of_entry]
        return highest

    def place_in_session(self, scores: FloatArray) -> IntArray:
        """Return (n,) for each row how many of its session score higher (ties: the lower row first); 0 without one."""
        place = np.zeros(len(scores), np.int64)
        if self.in_session:
            rows, session = self.session_order[: self.in_session], self._session_of_entry
            ranked = rows[np.lexsort((rows, -scores[rows], session))]
            place[ranked] = np.arange(len(rows)) - self.session_starts[session]
        return place

    @cached_property
    def sessions(self) -> FloatArray:
        """(n,) what a row's session is known by: the highest of its rows; a row of none stands for itself."""
        return self.highest_in_session(np.arange(self.neighbours.shape[1], dtype=np.float32))

    @cached_property
    def _session_of_entry(self) -> IntArray:
        """(in_session,) the session's number for each entry of `session_order`."""
        sizes = np.diff(self.session_starts, append=self.in_session)
        return np.repeat(np.arange(len(sizes)), sizes)


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


def _kernel(gaps: IntArray, near: dict[int, float]) -> FloatArray:
    """Return the weight of each gap, 0 where the kernel names none."""
    reach = max(map(abs, near), default=0)
    table = np.zeros(2 * reach + 2, np.float32)
    for gap, weight in near.items():
        table[gap + reach] = weight
    weights: FloatArray = table[np.where(np.abs(gaps) <= reach, gaps + reach, 2 * reach + 1)]
    return weights


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
