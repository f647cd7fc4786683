"""Which memories speak of the same."""

import numpy as np
import pytest

from memory.algorithms.clustering import group_alike

pytestmark = pytest.mark.spec("G14")


def test_a_chain_of_alike_memories_is_one_group():
    """Each is like the next, so all say the same thing."""
    similarity = np.array([[1, 0.9, 0.1, 0], [0.9, 1, 0.85, 0], [0.1, 0.85, 1, 0], [0, 0, 0, 1.0]])
    groups = group_alike(similarity, least=0.8)
    assert groups[0] == groups[1] == groups[2] != groups[3]
    assert group_alike(np.zeros((0, 0)), least=0.8).tolist() == []
