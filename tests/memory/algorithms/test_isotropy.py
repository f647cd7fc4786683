"""Taking out what all vectors share."""

import numpy as np
import pytest

from memory.algorithms.isotropy import VECTORS_PER_DIRECTION, fit_isotropy


def crowded_vectors(count=300, dimension=32):
    """Unit vectors in a narrow cone with three strong directions of their own."""
    rng = np.random.default_rng(3)
    strong = rng.normal(size=(count, 3)) * [3.0, 2.0, 1.5] @ np.linalg.qr(rng.normal(size=(dimension, 3))).Q.T
    vectors = strong + rng.normal(size=(count, dimension)) * 0.2 + 5.0
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_the_leading_directions_are_those_of_a_full_decomposition():
    """The cheap iteration finds the same subspace."""
    vectors = crowded_vectors()
    common = fit_isotropy(vectors, directions=3)
    exact = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False).Vh[:3]
    overlap = np.linalg.svd(exact @ common.directions.T, compute_uv=False)
    assert overlap == pytest.approx(np.ones(3), abs=1e-3)


def test_cleaned_vectors_have_no_share_in_what_was_taken_out():
    """The mean is gone and so is every direction."""
    vectors = crowded_vectors()
    common = fit_isotropy(vectors)
    cleaned = common.clean(vectors)
    assert cleaned.mean(axis=0) == pytest.approx(np.zeros(32), abs=1e-5)
    assert np.abs(cleaned @ common.directions.T).max() < 1e-5


def test_a_small_space_loses_less(subtests):
    """With few vectors a leading direction is what they are about."""
    for count, directions in [(1, 0), (VECTORS_PER_DIRECTION - 1, 0), (VECTORS_PER_DIRECTION, 1), (300, 4)]:
        with subtests.test(count=count, directions=directions):
            assert len(fit_isotropy(crowded_vectors(300)[:count]).directions) == directions
