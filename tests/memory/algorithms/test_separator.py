"""The plane that parts one kind of sentence from all others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.separator import fit_plane

RNG = np.random.default_rng(5)


def make_points(count=200, dimension=16, lean=0.6):
    """Return unit vectors of two kinds, one a quarter of all, that overlap."""
    kinds = np.arange(count) % 4 == 0
    points = RNG.normal(size=(count, dimension)).astype(np.float32)
    points[:, 0] += np.where(kinds, lean, -lean) * 2
    return points / np.linalg.norm(points, axis=1, keepdims=True), kinds


def test_both_sides_weigh_the_same_and_weights_cost():
    """No plane nearby is better: mean surprise of either side plus the squared weights by the freedom."""
    points, kinds = make_points()
    plane, freedom = fit_plane(points, kinds, freedom=5.0), 5.0
    likely = plane.probability(points)
    weight = np.where(kinds, 0.5 / kinds.mean(), 0.5 / (~kinds).mean())
    slope = points.T @ (weight * (likely - kinds)) + plane.weights / freedom
    np.testing.assert_allclose(slope, 0.0, atol=1e-5)
    assert float(np.sum(weight * (likely - kinds))) == pytest.approx(0.0, abs=1e-5)


def test_what_is_apart_is_told_apart():
    """Two kinds on opposite sides are told without a mistake, also when one is rare."""
    points, _ = make_points(lean=0.0)
    points[:10] = np.eye(16, dtype=np.float32)[0]
    points[10:, 0] = -np.abs(points[10:, 0])
    kinds = np.arange(len(points)) < 10
    likely = fit_plane(points, kinds, freedom=5.0).probability(points)
    assert likely[kinds].min() > 0.5 > likely[~kinds].max()


@given(st.floats(0.01, 1_000), st.integers(2, 40))
def test_it_is_finite_whatever_it_is_given(freedom, count):
    """A probability is a number from 0 to 1, with few points, doubled points and any freedom."""
    points = np.ones((count, 4), dtype=np.float32) / 2
    likely = fit_plane(points, np.arange(count) == 0, freedom=freedom).probability(points)
    assert np.isfinite(likely).all() and (likely >= 0).all() and (likely <= 1).all()
