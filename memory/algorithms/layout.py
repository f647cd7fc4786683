"""Where the memories stand in the picture of the graph. Pure numpy and scipy: the same input gives the same picture.

Memories that hang together or say similar things are drawn near each other. A start by principal components spreads
them over the plane; springs along edges and to the most similar memories then pull, and whatever comes too near
pushes away. A memory that is new takes its place beside its neighbours, and those that stood there before hardly move,
so that a person finds their picture as they left it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from memory.algorithms.isotropy import unit_rows

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: Turns by this angle never fall on each other; they tell apart what would stand on the same spot.
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


@dataclass(frozen=True, kw_only=True)
class LayoutParams:
    """How the picture is drawn; distances are in the units of the radii given."""

    #: room between two memories
    gap: float = 5.0
    #: how far two memories still push each other away, in mean spacings
    reach: float = 1.8
    #: most similar memories that each memory is drawn to
    similar: int = 2
    #: how strongly what hangs together pulls and what is too near pushes, in each step
    pull: float = 0.1
    push: float = 0.4
    #: how much a memory that stood in the picture gives way to one that would cover it
    give_way: float = 0.3
    #: width of the picture by its height
    aspect: float = 1.5
    steps: int = 40
    #: steps when a picture is there already, and how much of a move a memory makes that stood in it
    later_steps: int = 20
    inertia: float = 0.03
    #: the last steps only part what overlaps
    parting: int = 18


LAYOUT = LayoutParams()


@dataclass(frozen=True)
class Springs:
    """What pulls together: (m, 2) rows and (m,) weights, 0 to 1."""

    pairs: IntArray
    weights: FloatArray


def lay_out(
    vectors: NDArray[np.floating],
    *,
    edges: IntArray,
    weights: FloatArray,
    radii: FloatArray,
    earlier: FloatArray | None = None,
    params: LayoutParams = LAYOUT,
) -> FloatArray:
    """Return (n, 2) positions, centred around the origin when nothing stood before.

    Args:
        vectors: (n, d) what the memories mean; rows of zeros say nothing and are drawn by their edges alone.
        edges: (m, 2) rows that hang together, each pair once.
        weights: (m,) 0 to 1.
        radii: (n,) as they will be drawn.
        earlier: (n, 2) where each stood in the last picture, NaN for a new one.
    """
    count = len(radii)
    matrix = np.asarray(vectors, np.float64)
    if not count:
        return np.zeros((0, 2))
    springs = _join(Springs(np.asarray(edges, np.int64).reshape(-1, 2), np.asarray(weights)), matrix, params)
    spacing = 2 * float(np.mean(radii)) + 2 * params.gap
    known = np.zeros(count, dtype=np.bool_)
    if earlier is not None:
        known |= np.isfinite(earlier).all(axis=1)
    if earlier is None or not known.any():
        start = _spread(matrix, spacing, params)
        return _settle(start, springs, radii, spacing, np.ones(count), params.steps, params)
    start = _beside(np.where(known[:, None], earlier, 0.0), known, springs, spacing)
    mobility = np.where(known, params.inertia, 1.0)
    return _settle(start, springs, radii, spacing, mobility, params.later_steps, params)


def _join(edges: Springs, matrix: FloatArray, params: LayoutParams) -> Springs:
    """Return the edges and, half as strong, springs to the most similar memories."""
    count = len(matrix)
    nearest = min(params.similar, count - 1)
    if nearest < 1:
        return edges
    unit = unit_rows(_centre(matrix)).astype(np.float32)
    alike = (unit @ unit.T).astype(np.float64)
    np.fill_diagonal(alike, -2.0)
    columns = np.argpartition(-alike, nearest - 1, axis=1)[:, :nearest]
    rows = np.repeat(np.arange(count), nearest)
    found = np.column_stack([rows, columns.ravel()]).astype(np.int64)
    strength = 0.5 * np.clip(alike[rows, columns.ravel()], 0.0, 1.0)
    return Springs(np.concatenate([edges.pairs, found]), np.concatenate([edges.weights, strength]))


def _centre(matrix: FloatArray) -> FloatArray:
    """Return the vectors less what all of them share, which tells nothing apart; a row of zeros stays one."""
    speaking = matrix.any(axis=1)
    centred = np.zeros_like(matrix)
    if speaking.any():
        centred[speaking] = matrix[speaking] - matrix[speaking].mean(axis=0)
    return centred


def _spread(matrix: FloatArray, spacing: float, params: LayoutParams) -> FloatArray:
    """Return positions by the ranks along the two main directions of the vectors: the plane is filled evenly."""
    count = len(matrix)
    extent = spacing * np.sqrt(max(count, 1))
    sides = np.array([extent * np.sqrt(params.aspect), extent / np.sqrt(params.aspect)])
    ranks = np.empty((count, 2))
    for axis, values in enumerate(_components(matrix).T):
        ranks[np.argsort(values, kind="stable"), axis] = np.arange(count)
    return np.asarray(((ranks + 0.5) / max(count, 1) - 0.5) * sides + _offsets(count, 0.1 * spacing))


def _components(matrix: FloatArray) -> FloatArray:
    """Return (n, 2) the projections on the first two principal components, each with a sign that does not change."""
    count = len(matrix)
    if count < 3 or matrix.shape[1] < 2:
        return _offsets(count, 1.0)
    centred = _centre(matrix)
    _, directions = np.linalg.eigh(centred.T @ centred)
    found = centred @ directions[:, -1:-3:-1]
    heaviest = found[np.abs(found).argmax(axis=0), [0, 1]]
    # Rounding keeps the ranks of twins in the order of their rows.
    return np.asarray(np.round(found * np.where(heaviest < 0, -1.0, 1.0), 9))


def _beside(start: FloatArray, known: NDArray[np.bool_], springs: Springs, spacing: float) -> FloatArray:
    """Return positions in which each new memory stands in the middle of its neighbours, or else at the rim."""
    placed = start.copy()
    fresh = np.flatnonzero(~known)
    both = np.concatenate([springs.pairs, springs.pairs[:, ::-1]])
    pull = np.concatenate([springs.weights, springs.weights])
    use = ~known[both[:, 0]] & known[both[:, 1]] & (pull > 0)
    total = np.bincount(both[use, 0], weights=pull[use], minlength=len(start))
    for axis in (0, 1):
        sums = np.bincount(both[use, 0], weights=pull[use] * start[both[use, 1], axis], minlength=len(start))
        placed[fresh, axis] = sums[fresh] / np.maximum(total[fresh], 1e-9)
    placed[fresh] += _offsets(len(fresh), 0.5 * spacing)
    lone = fresh[total[fresh] == 0]
    middle = start[known].mean(axis=0)
    rim = float(np.abs(start[known] - middle).max()) + spacing
    angle = GOLDEN_ANGLE * np.arange(len(lone))
    placed[lone] = middle + rim * np.column_stack([np.cos(angle), np.sin(angle)])
    return placed


def _settle(
    start: FloatArray,
    springs: Springs,
    radii: FloatArray,
    spacing: float,
    mobility: FloatArray,
    steps: int,
    params: LayoutParams,
) -> FloatArray:
    """Return positions after `steps` of pulling and pushing, and a few of only parting what overlaps."""
    positions = start.copy()
    if len(positions) < 2:
        return positions
    elbows = np.full(len(positions), spacing * params.reach / 2)
    for step in range(steps):
        cooling = 1.0 - step / steps
        move = params.pull * cooling * _pulls(positions, springs, spacing / 2)
        move += _pushes(positions, elbows, params.push)
        positions += _clip(move, spacing) * mobility[:, None]
    yielding = np.maximum(mobility, params.give_way)[:, None]
    for _ in range(params.parting):
        positions += _pushes(positions, radii + params.gap / 2, 1.0) * yielding
    return positions


def _pulls(positions: FloatArray, springs: Springs, rest: float) -> FloatArray:
    """Return (n, 2) the mean way to the memories at the other ends of the springs, as far as they are stretched."""
    first, second = springs.pairs[:, 0], springs.pairs[:, 1]
    way = positions[second] - positions[first]
    distance = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    pull = way * (springs.weights * np.maximum(distance - rest, 0.0) / distance)[:, None]
    total = np.bincount(
        springs.pairs.ravel(), weights=np.repeat(springs.weights, 2), minlength=len(positions)
    )
    return _gather(first, second, pull, len(positions)) / np.maximum(total, 1.0)[:, None]


def _pushes(positions: FloatArray, reach: FloatArray, strength: float) -> FloatArray:
    """Return (n, 2) by how much memories nearer than the sum of their reaches push each other away."""
    pairs = cKDTree(positions).query_pairs(2 * float(reach.max()), output_type="ndarray")
    first, second = pairs[:, 0], pairs[:, 1]
    apart = positions[first] - positions[second]
    distance = np.hypot(apart[:, 0], apart[:, 1])
    same = distance < 1e-6
    apart[same] = _offsets(len(positions), 1.0)[first[same]]
    overlap = np.clip(reach[first] + reach[second] - distance, 0.0, None) * strength / 2
    push = apart / np.maximum(np.where(same, 1.0, distance), 1e-6)[:, None] * overlap[:, None]
    return _gather(first, second, push, len(positions))


def _gather(first: IntArray, second: IntArray, moves: FloatArray, count: int) -> FloatArray:
    """Return (n, 2) the sum of each memory's moves, when the first of a pair makes one and the second the opposite."""
    ends = np.concatenate([first, second])
    signed = np.concatenate([moves, -moves])
    return np.column_stack([np.bincount(ends, weights=signed[:, axis], minlength=count) for axis in (0, 1)])


def _clip(moves: FloatArray, longest: float) -> FloatArray:
    lengths = np.hypot(moves[:, 0], moves[:, 1])
    return moves * np.minimum(1.0, longest / np.maximum(lengths, 1e-9))[:, None]


def _offsets(count: int, radius: float) -> FloatArray:
    """Return (n, 2) points around the origin, none on another."""
    turns = np.arange(count)
    angle = GOLDEN_ANGLE * (turns + 1)
    distance = radius * np.sqrt((turns + 1) / max(count, 1))
    return np.column_stack([distance * np.cos(angle), distance * np.sin(angle)])
