"""The picture of the graph: the same each time, nothing on top of another, and left as it was when something comes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.algorithms.layout import lay_out
from tests.cases import cases

pytestmark = pytest.mark.spec("G13")
NO_EDGES = np.zeros((0, 2), np.int64)


def clusters(count, *, seed=1, kinds=6):
    """Return vectors around a few centres, and the centre of each."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, kinds, count)
    return rng.normal(size=(kinds, 32))[kind] + 0.3 * rng.normal(size=(count, 32)), kind


def laid_out(vectors, *, edges=NO_EDGES, radius=6.0, **given):
    edges = np.asarray(edges, np.int64).reshape(-1, 2)
    radii = np.full(len(vectors), radius)
    return lay_out(vectors, edges=edges, weights=np.full(len(edges), 0.8), radii=radii, **given)


def distances(points):
    return np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))


@settings(max_examples=40, deadline=None)
@given(count=st.integers(0, 40), width=st.integers(1, 8), data=st.data())
def test_any_memories_have_a_place_and_the_same_one_each_time(count, width, data):
    """Whatever the vectors (twins, zeros, one dimension), places are finite, distinct and the same again."""
    numbers = st.sampled_from([0.0, 1.0, -1.0, 0.5])
    vectors = np.array(
        data.draw(st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=count, max_size=count))
    )
    vectors = vectors.reshape(count, width)
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    edges = data.draw(st.lists(pairs, max_size=20)) if count > 1 else []
    points = laid_out(vectors, edges=edges)
    assert points.shape == (count, 2) and np.isfinite(points).all()
    assert np.array_equal(points, laid_out(vectors, edges=edges))
    assert (distances(points)[~np.eye(count, dtype=bool)] > 1e-3).all()


def test_a_cluster_of_identical_memories_is_spread_out():
    """A hundred memories of the same vector can each be pointed at."""
    points = laid_out(np.ones((100, 16)))
    assert (distances(points)[~np.eye(100, dtype=bool)] > 2 * 6.0 * 0.8).all()


def test_few_lie_on_each_other():
    """Of 300 memories hardly any two overlap, and none by more than a third."""
    vectors, _ = clusters(300)
    apart = distances(laid_out(vectors))[np.triu_indices(300, 1)]
    assert (apart < 12.0).sum() <= 6 and apart.min() > 8.0


def test_what_is_alike_stands_together():
    """Memories of one kind are nearer to each other than to the rest."""
    vectors, kind = clusters(120)
    apart = distances(laid_out(vectors))
    same = kind[:, None] == kind[None]
    assert apart[same].mean() < 0.6 * apart[~same].mean()


def test_edges_pull():
    """Two memories that say nothing alike stand nearer with an edge between them than without."""
    vectors = np.eye(30)
    far = np.unravel_index(distances(laid_out(vectors)).argmax(), (30, 30))
    with_edge = distances(laid_out(vectors, edges=[far]))
    assert with_edge[far] < 0.6 * distances(laid_out(vectors))[far]


@cases("added", [1, 5])
def test_a_new_memory_leaves_the_others_where_they_were(added):
    """What stood in the picture moves by less than its own width; the new one comes beside what it is like."""
    vectors, kind = clusters(200)
    before = laid_out(vectors[:-added])
    earlier = np.vstack([before, np.full((added, 2), np.nan)])
    after = laid_out(vectors, earlier=earlier)
    moved = np.hypot(*(after[:-added] - before).T)
    assert moved.max() < 12.0
    same = kind[:-added] == kind[-1]
    near = np.hypot(*(after[:-added] - after[-1]).T)
    assert near[same].mean() < near[~same].mean()


def test_what_hangs_on_nothing_comes_to_the_rim():
    """A memory without a meaning and without edges does not push into the middle."""
    vectors, _ = clusters(60)
    before = laid_out(vectors)
    after = laid_out(np.vstack([vectors, np.zeros((1, 32))]), earlier=np.vstack([before, [[np.nan, np.nan]]]))
    from_middle = np.hypot(*(after - before.mean(axis=0)).T)
    assert from_middle[-1] > np.median(from_middle[:-1])
