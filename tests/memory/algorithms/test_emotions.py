"""Directions fitted to labelled vectors tell kinds apart, whatever the counts, and scores become chances."""

import numpy as np
import pytest

from memory.algorithms.emotions import find_level, fit_directions, probabilities, weigh_alike

pytestmark = pytest.mark.spec("L2")


@pytest.fixture
def clouds():
    """Three clouds of vectors around three directions, with what all share, and the cloud of each."""
    rng = np.random.default_rng(7)
    kinds = np.repeat(np.arange(3), (40, 10, 10))
    shared, centres = rng.normal(size=32), rng.normal(size=(3, 32))
    vectors = 5 * shared + centres[kinds] + 0.5 * rng.normal(size=(60, 32))
    unseen = 5 * shared + centres + 0.1 * rng.normal(size=(3, 32))
    return vectors, kinds, unseen


def test_unseen_vectors_are_told_by_their_kind(clouds):
    """What all vectors share does not matter, and the commonest kind is not preferred."""
    vectors, kinds, unseen = clouds
    found = fit_directions(vectors, np.eye(3)[kinds], weigh_alike(kinds), penalty=1.0)
    assert [int(found.read(vector).argmax()) for vector in unseen] == [0, 1, 2]
    assert found.offsets == pytest.approx(np.full(3, 1 / 3))


def test_fit_is_that_of_weighted_least_squares(clouds):
    """The short way by products among sentences gives what the normal equations give."""
    vectors, kinds, _ = clouds
    weights, targets = weigh_alike(kinds), np.eye(3)[kinds]
    found = fit_directions(vectors, targets, weights, penalty=2.0)
    centred = vectors - np.average(vectors, axis=0, weights=weights)
    rows = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    wanted = targets - np.average(targets, axis=0, weights=weights)
    left = (rows * weights[:, None]).T @ rows + 2.0 * np.eye(32)
    assert found.weights == pytest.approx(np.linalg.solve(left, (rows * weights[:, None]).T @ wanted))


def test_each_kind_weighs_alike_and_one_on_average():
    """Four of one kind count as much as one of another."""
    weights = weigh_alike(np.array([0, 0, 0, 0, 1]))
    assert weights[:4].sum() == pytest.approx(weights[4])
    assert weights.mean() == pytest.approx(1.0)


def test_chances_add_up_and_keep_the_order():
    """A lower temperature is surer of the same."""
    scores = np.array([0.1, 0.9, 0.4])
    warm, cold = probabilities(scores, temperature=1.0), probabilities(scores, temperature=0.1)
    assert warm.sum() == pytest.approx(1) and cold.sum() == pytest.approx(1)
    assert list(np.argsort(warm)) == list(np.argsort(cold)) == [0, 2, 1]
    assert cold[1] > warm[1]


@pytest.mark.parametrize(("value", "level"), [(-1.0, 0), (-0.5, 1), (0.0, 1), (0.3, 1), (0.31, 2)])
def test_levels_are_parted_by_their_bounds(value, level):
    """The bounds themselves belong to the middle."""
    assert find_level(value, low=-0.5, high=0.3) == level
