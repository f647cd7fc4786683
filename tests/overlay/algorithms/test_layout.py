"""The map's layout: the same world gives the same map, nobody stands on somebody else, foundations are above."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlay.algorithms.graphs import measure_depths
from overlay.algorithms.layout import lay_out

pytestmark = pytest.mark.spec("G10")


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 60))
    nodes = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(nodes, nodes).filter(lambda pair: pair[0] > pair[1]), max_size=120))
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return measure_depths(count, pairs[:, 0], pairs[:, 1]), pairs[:, 0], pairs[:, 1]


@given(graphs())
def test_every_concept_has_a_place_of_its_own(graph):
    """Places are a cell apart at least, finite, and equal when asked again."""
    places = lay_out(*graph)
    apart = np.abs(places[:, None] - places[None]).max(axis=2) + 2 * np.eye(len(places))
    assert np.isfinite(places).all() and apart.min() >= 1
    assert (lay_out(*graph) == places).all()


@given(graphs())
def test_what_is_required_stands_above(graph):
    """An edge leads down the map: from what is required to what requires it."""
    depths, sources, targets = graph
    places = lay_out(depths, sources, targets)
    assert (places[sources, 1] > places[targets, 1]).all()


def test_neighbours_stand_close():
    """Two chains side by side are not woven into one another."""
    sources, targets = np.array([2, 3, 4, 5]), np.array([1, 0, 3, 2])
    depths = measure_depths(6, sources, targets)
    places = lay_out(depths, sources, targets)
    gaps = np.abs(places[sources, 0] - places[targets, 0])
    assert gaps.max() <= 0.5


def test_a_large_world_is_not_one_long_row():
    """20,000 concepts without any order make a map about as high as broad."""
    none = np.zeros(0, dtype=np.int64)
    width, height = np.ptp(lay_out(np.zeros(20_000, dtype=np.int64), none, none), axis=0)
    assert 1 <= width / height <= 2.5
    assert lay_out(none, none, none).shape == (0, 2)
