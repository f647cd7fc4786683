"""The graph that a question lights up: an agent's own nodes and, beside them, what packs lend of theirs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from scipy.sparse import csr_array

from memory.agents import mounts
from memory.agents.mounts import LentNode, LentShape, MountedPack
from memory.agents.pack_graphs import graph_of
from memory.agents.params import ContextParams
from memory.agents.question import Question
from memory.agents.workingset import AgentWorkingSet


@dataclass(frozen=True)
class Surroundings:
    """n own rows, then m lent nodes.

    Attributes:
        adjacency: (n + m, n + m) weights. Own links lead both ways; those of a pack lead as it says.
        lent: the m lent nodes, in a fixed order; shapes: what activation reads of each.
    """

    adjacency: csr_array
    lent: Sequence[LentNode]
    shapes: Sequence[LentShape]


def find_surroundings(
    held: AgentWorkingSet,
    packs: Sequence[MountedPack],
    question: Question,
    *,
    rows: Collection[int],
    seeds: Collection[LentNode],
    params: ContextParams,
) -> Surroundings:
    """Return the graph around own seeds (`rows`) and lent ones (`seeds`), as far as activation goes.

    A lent node of a path that the agent has itself, or that an earlier pack has, is left out: the agent knows better.
    """
    if not packs:
        return Surroundings(held.linked.adjacency, (), ())
    outward = {path for row in sorted(rows) for path in held.linked.outward_of.get(row, ())}
    linked = mounts.nodes_of_paths(packs, outward)
    reached = mounts.reach_lent(
        {*seeds, *linked.values()},
        hops=params.activation.hops,
        max_per_node=params.activation.max_per_node,
        min_weight=params.activation.min_edge_weight,
        most=params.most_lent,
    )
    parts = _once(held, packs, reached, question)
    shapes = tuple(shape for part in parts for shape in part.shapes)
    nodes = tuple((part.space, position) for part in parts for position in part.positions.tolist())
    return Surroundings(_join(held, parts, shapes), nodes, shapes)


@dataclass(frozen=True)
class _Part:
    """What one pack lends: the positions of its nodes, rising, and what activation reads of each."""

    space: UUID
    positions: np.ndarray
    shapes: Sequence[LentShape]


def _once(
    held: AgentWorkingSet,
    packs: Sequence[MountedPack],
    reached: Mapping[UUID, np.ndarray],
    question: Question,
) -> list[_Part]:
    """Return the nodes whose paths are their own, pack by pack in their order."""
    seen: set[str] = set()
    parts = []
    for pack in packs:
        if pack.space not in reached:
            continue
        positions = reached[pack.space]
        shapes = mounts.shapes_of(pack.space, positions, question)
        kept = [
            at for at, shape in enumerate(shapes) if shape.path not in held.row_of and shape.path not in seen
        ]
        seen.update(shapes[at].path for at in kept)
        parts.append(_Part(pack.space, positions[kept], [shapes[at] for at in kept]))
    return parts


def _join(held: AgentWorkingSet, parts: Sequence[_Part], shapes: Sequence[LentShape]) -> csr_array:
    """Return the graph of own rows and lent nodes; what an agent links to in a pack holds both ways."""
    own, first = held.linked.adjacency, len(held)
    between = [
        (row, first + at, weight)
        for at, shape in enumerate(shapes)
        for row, weight in held.linked.outward.get(shape.path, {}).items()
    ]
    rows, nodes, weights = np.array(between, dtype=np.float64).reshape(-1, 3).T
    row, node = rows.astype(np.int64), nodes.astype(np.int64)
    ends = [(node, row, weights)]
    for part in parts:
        source, target, weight = graph_of(part.space).edges_among(part.positions)
        ends.append((first + source, first + target, weight))
        first += len(part.positions)
    source, target, weight = (np.concatenate(column) for column in zip(*ends, strict=True))
    lower = np.lexsort((target, source))
    upper = np.lexsort((node, row))
    # Lent nodes come after all own ones, so what leads to them stands at the end of each row.
    at = own.indptr[row[upper] + 1]
    counts = np.bincount(np.concatenate([row, source]), minlength=first)
    indices = np.concatenate([np.insert(own.indices, at, node[upper]), target[lower]])
    data = np.concatenate([np.insert(own.data, at, weights[upper]), weight[lower]])
    counts[: len(held)] += np.diff(own.indptr)
    joined = csr_array((data, indices, np.concatenate([[0], np.cumsum(counts)])), shape=(first, first))
    joined.has_sorted_indices = True
    return joined
