"""Where each memory stood in the last picture, kept beside the working set and gone with it, as at log-out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID
from weakref import WeakKeyDictionary

import numpy as np

from memory.algorithms.layout import LAYOUT, LayoutParams, lay_out
from memory.student.workingset import WorkingSet

#: So many memories can be told apart in one picture; of more, the heaviest are drawn.
MOST_DRAWN = 1_500
#: Radius of a memory of no gravity, and what full gravity adds.
LEAST_RADIUS, MORE_RADIUS = 3.5, 9.0
#: Few memories stand so far apart that together they fill about as much of the picture, in its units squared.
FILLED = 150_000.0
WIDEST_GAP = 45.0
#: A memory that was replaced stands beside what replaced it.
BOND = 1.0

Point = tuple[float, float]


#: Positions by memory, for each working set; they go when it does.
_kept: WeakKeyDictionary[WorkingSet, dict[UUID, Point]] = WeakKeyDictionary()


def radius(gravity: float | np.ndarray) -> np.ndarray:
    """Return how large a memory is drawn: its area, not its width, grows with gravity."""
    return LEAST_RADIUS + MORE_RADIUS * np.sqrt(np.asarray(gravity, np.float64))


def spaced(count: int) -> LayoutParams:
    """Return how a picture of so many memories is drawn: few have more room each, and edges may pull harder."""
    room = math.sqrt(FILLED / max(count, 1)) / 2 - LEAST_RADIUS - MORE_RADIUS / 2
    if room <= LAYOUT.gap:
        return LAYOUT
    return replace(LAYOUT, gap=min(room, WIDEST_GAP), pull=0.3, reach=1.4)


def place_memories(
    working_set: WorkingSet,
    drawn: Mapping[UUID, float],
    *,
    links: Sequence[tuple[UUID, UUID, float]],
    now_gravity: np.ndarray,
) -> dict[UUID, Point]:
    """Return where to draw each memory of `drawn`, a gravity by id.

    The heaviest that hold now make the picture, whatever is asked for; the rest finds its place in it.

    Args:
        links: edges, and what replaced what, with a weight from 0 to 1.
        now_gravity: (n,) by row of the working set.
    """
    with working_set.lock:
        places = _kept.setdefault(working_set, {})
        alive = np.flatnonzero(working_set.corpus.alive)
        heaviest = alive[np.argsort(-now_gravity[alive], kind="stable")][:MOST_DRAWN]
        base = {working_set.nodes[row].id: float(now_gravity[row]) for row in heaviest.tolist()}
        _place(working_set, places, base, links)
        _place(working_set, places, drawn, links)
        return {node: places[node] for node in drawn}


def _place(
    working_set: WorkingSet,
    places: dict[UUID, Point],
    gravity: Mapping[UUID, float],
    links: Sequence[tuple[UUID, UUID, float]],
) -> None:
    """Give every memory of `gravity` a place, if one of them has none yet."""
    if gravity.keys() <= places.keys():
        return
    nodes = list(gravity)
    row_of = {node: row for row, node in enumerate(nodes)}
    inside = [
        (row_of[a], row_of[b], weight) for a, b, weight in links if a in row_of and b in row_of and a != b
    ]
    nowhere = (np.nan, np.nan)
    points = lay_out(
        _vectors(working_set, nodes),
        edges=np.array([(a, b) for a, b, _ in inside], np.int64).reshape(-1, 2),
        weights=np.array([weight for *_, weight in inside], np.float64),
        radii=radius(np.array(list(gravity.values()))),
        earlier=np.array([places.get(node, nowhere) for node in nodes]),
        params=spaced(len(nodes)),
    )
    places |= {node: (x, y) for node, (x, y) in zip(nodes, points.tolist(), strict=True)}


def _vectors(working_set: WorkingSet, nodes: Sequence[UUID]) -> np.ndarray:
    """Return (n, d) the vectors at hand, and zeros for memories of which there is none."""
    rows = [working_set.row_of.get(node, -1) for node in nodes]
    at = np.array(rows, np.int64)
    found = np.zeros((len(nodes), working_set.dimension))
    found[at >= 0] = working_set.corpus.vectors[at[at >= 0]]
    return found
