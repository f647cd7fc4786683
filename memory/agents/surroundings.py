"""The graph that a question lights up: an agent's own nodes and, beside them, what packs lend of theirs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from memory.agents import lent
from memory.agents.asking import Question
from memory.agents.lent import LentNode, LentShape, MountedPack
from memory.agents.params import ContextParams
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
    linked = lent.nodes_of_paths(packs, outward)
    reached = lent.reach_lent(
        {*seeds, *linked.values()},
        hops=params.activation.hops,
        max_per_node=params.activation.max_per_node,
        min_weight=params.activation.min_edge_weight,
    )
    chosen = sorted(reached, key=lambda node: (-reached[node], node))[: params.most_lent]
    shapes = _once(held, packs, lent.shapes_of(chosen, question))
    number = {node: len(held) + at for at, node in enumerate(shapes)}
    return Surroundings(_join(held, number, shapes), tuple(shapes), tuple(shapes.values()))


def _once(
    held: AgentWorkingSet, packs: Sequence[MountedPack], shapes: dict[LentNode, LentShape]
) -> dict[LentNode, LentShape]:
    """Return the nodes whose paths are their own, pack by pack in their order, by position."""
    place = {pack.space: at for at, pack in enumerate(packs)}
    seen = set(held.row_of)
    kept = {}
    for node in sorted(shapes, key=lambda node: (place[node[0]], node[1])):
        if shapes[node].path not in seen:
            seen.add(shapes[node].path)
            kept[node] = shapes[node]
    return kept


def _join(
    held: AgentWorkingSet,
    number: dict[LentNode, int],
    shapes: dict[LentNode, LentShape],
) -> csr_array:
    """Return the graph of own rows and lent nodes; what an agent links to in a pack holds both ways."""
    ends, weights = [], []
    for source, target, weight in lent.edges_among(number):
        ends.append((number[source], number[target]))
        weights.append(weight)
    for node, shape in shapes.items():
        for row, weight in held.linked.outward.get(shape.path, {}).items():
            ends += [(row, number[node]), (number[node], row)]
            weights += [weight, weight]
    own = held.linked.adjacency.tocoo()
    between = np.array(ends, dtype=np.int64).reshape(-1, 2)
    size = len(held) + len(number)
    joined = coo_array(
        (
            np.concatenate([own.data, weights]),
            (np.concatenate([own.row, between[:, 0]]), np.concatenate([own.col, between[:, 1]])),
        ),
        shape=(size, size),
    )
    return csr_array(joined)
