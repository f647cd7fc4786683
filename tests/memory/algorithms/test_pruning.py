"""Which nodes fall."""

import pytest

from memory.algorithms.compression import find_faded, find_surplus
from tests.memory.algorithms.graphs import make_graph

pytestmark = pytest.mark.spec("G5")


def test_what_may_go_falls_below_the_noise_floor():
    """The floor is 0.382; what lies on it stays, and so does what may not go."""
    graph = make_graph(4, gravity=[0.3819, 0.382, 0.9, 0.0], prunable=[True, True, True, False])
    assert find_faded(graph).tolist() == [True, False, False, False]


def test_where_there_are_too_many_the_faintest_go():
    """As many as are too many, if so many may; of equal ones the one said first."""
    graph = make_graph(
        5, gravity=[0.5, 0.1, 0.3, 0.3, 0.0], said_at=[0, 1, 3, 2, 4], droppable=[True] * 4 + [False]
    )
    assert find_surplus(graph, max_nodes=4).tolist() == [False, True, False, False, False]
    assert find_surplus(graph, max_nodes=3).tolist() == [False, True, False, True, False]
    assert find_surplus(graph, max_nodes=0).tolist() == [True] * 4 + [False]
    assert not find_surplus(graph, max_nodes=5).any()


def test_history_does_not_count_against_the_bound():
    """What is no longer believed takes no place and is not dropped for want of it."""
    graph = make_graph(3, active=[True, False, True], droppable=[True] * 3)
    assert not find_surplus(graph, max_nodes=2).any()
    assert find_surplus(graph, max_nodes=1).tolist() == [True, False, False]
