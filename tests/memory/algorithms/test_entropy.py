"""What a compression loses, in bits."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.algorithms.compression import compress_graph
from memory.algorithms.entropy import entropy_bits, find_masses, merging_loss, pruning_loss
from tests.memory.algorithms.graphs import MODALITIES, graphs, make_graph

pytestmark = pytest.mark.spec("G5")


def test_equal_shares_take_log2_of_their_number_to_tell_apart():
    """By hand: 8 memories of equal mass are 3 bits; none, and one, are 0."""
    assert entropy_bits(np.full(8, 0.3)) == pytest.approx(3.0)
    assert entropy_bits(np.zeros(0)) == entropy_bits(np.array([0.7])) == entropy_bits(np.zeros(4)) == 0.0


def test_mass_is_gravity_and_what_hangs_on_it():
    """Gravity x (1 + the weight of all edges at the node)."""
    graph = make_graph(3, [(0, 1, "A", 0.5), (1, 2, "A", 0.25)], gravity=[0.4, 0.8, 0.0])
    assert find_masses(graph).tolist() == pytest.approx([0.6, 1.4, 0.0])


def test_each_modality_has_its_own_number():
    """By hand: of four equal memories each carries half a bit."""
    graph = make_graph(4, modality=[0, 1, 1, 4])
    lost = pruning_loss(graph, np.array([True, True, True, False]), modalities=MODALITIES)
    assert lost.tolist() == pytest.approx([0.5, 1.0, 0.0, 0.0, 0.0])


def test_merging_loses_what_told_the_members_apart():
    """By hand: two of four equal memories become one; it took half of the time one bit to tell them apart."""
    lost = merging_loss(make_graph(4, modality=[2, 3, 0, 0]), [(0, 1)], modalities=MODALITIES)
    assert lost.tolist() == pytest.approx([0.0, 0.0, 0.25, 0.25, 0.0])


@settings(max_examples=60, deadline=None)
@given(
    masses=st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 11), max_size=4),
)
def test_the_chain_rule_holds(masses, cuts):
    """The entropy before is that of the clusters and what is lost inside them."""
    graph = make_graph(len(masses), gravity=masses)
    ends = sorted({0, len(masses), *(cut for cut in cuts if cut < len(masses))})
    clusters = [tuple(range(start, end)) for start, end in pairwise(ends)]
    lost = merging_loss(graph, clusters, modalities=MODALITIES).sum()
    grouped = entropy_bits(np.array([graph.gravity[list(cluster)].sum() for cluster in clusters]))
    assert grouped + lost == pytest.approx(entropy_bits(graph.gravity), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(graph=graphs())
def test_what_is_lost_is_a_number_of_bits(graph):
    """Finite and not negative, whatever the graph."""
    done = compress_graph(graph, may_merge=lambda *_: True, modalities=MODALITIES, max_nodes=3)
    for loss in (done.pruning_loss, done.merging_loss):
        assert loss.shape == (MODALITIES,)
        assert np.isfinite(loss).all() and (loss >= 0).all()
