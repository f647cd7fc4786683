"""Cycles are found and named, and depths are those of the longest way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlay.algorithms.graphs import find_cycles, measure_depths

pytestmark = pytest.mark.spec("G10")


def arrays(edges):
    pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def test_a_shortest_cycle_of_each_tangle_is_named():
    """Two circles that share no node are told as two, each from its lowest node and by its shortest way."""
    edges = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 3), (4, 5), (5, 6), (6, 4), (7, 4)]
    assert find_cycles(8, *arrays(edges)) == [[0, 1], [4, 5, 6]]


EDGES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40)


@given(EDGES)
def test_what_is_named_is_a_cycle(edges):
    """Every step of a named cycle is an edge; where none is named, the nodes can be put in an order."""
    real = {(a, b) for a, b in edges if a != b}
    cycles = find_cycles(12, *arrays(edges))
    for cycle in cycles:
        steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        assert len(set(cycle)) == len(cycle) and set(steps) <= real
    assert bool(cycles) != can_be_ordered(real)


def can_be_ordered(edges):
    """Take away nodes that nothing leads from until none is left."""
    left = set(range(12))
    while left:
        free = {node for node in left if not any(a == node and b in left for a, b in edges)}
        if not free:
            return False
        left -= free
    return True


@given(EDGES)
def test_a_depth_is_one_more_than_the_deepest_it_builds_on(edges):
    """Where there is no circle, depth(x) = 1 + max depth of what x requires, and 0 for what requires nothing."""
    upward = [(max(a, b), min(a, b)) for a, b in edges if a != b]
    depths = measure_depths(12, *arrays(upward))
    for node in range(12):
        below = [depths[b] for a, b in upward if a == node]
        assert depths[node] == (1 + max(below) if below else 0)


def test_a_circle_does_not_hang_the_measuring():
    """Nodes on a circle and above it stay at 0; the others keep their depth."""
    assert list(measure_depths(5, *arrays([(0, 1), (1, 0), (2, 0), (3, 4)]))) == [0, 0, 0, 1, 0]


def test_a_long_chain_is_measured():
    """A chain of 20,000 concepts has depths 0 to 19,999."""
    chain = [(node + 1, node) for node in range(19_999)]
    assert list(measure_depths(20_000, *arrays(chain))) == list(range(20_000))
    assert find_cycles(20_000, *arrays(chain)) == []
    assert len(find_cycles(20_000, *arrays([*chain, (0, 19_999)]))[0]) == 20_000
