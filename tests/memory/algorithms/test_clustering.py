"""What hangs together, and closely enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.algorithms.adjacency import as_pairs, build_adjacency, find_alike, from_pairs
from memory.algorithms.clustering import find_clusters, pair_up
from tests.cases import cases
from tests.memory.algorithms.graphs import complete, graphs, make_graph

pytestmark = pytest.mark.spec("G5")


def anything(rows) -> bool:
    return True


def matrix(count: int, pairs: dict[tuple[int, int], float]):
    low, high = np.array(list(pairs), np.int64).reshape(-1, 2).T
    return from_pairs(low, high, np.array(list(pairs.values()), float), count=count)


def clique(rows, weight: float) -> dict[tuple[int, int], float]:
    return {(low, high): weight for low, high, _, _ in complete(rows, weight)}


def test_a_cluster_merges_from_the_golden_density():
    """0.618, the mean over all possible pairs; a pair that is missing counts as 0."""
    assert find_clusters(matrix(3, clique(range(3), 0.618)), fits=anything) == [(0, 1, 2)]
    assert find_clusters(matrix(3, clique(range(3), 0.617)), fits=anything) == []
    assert find_clusters(matrix(3, {(0, 1): 0.95, (1, 2): 0.95}), fits=anything) == [(0, 1, 2)]
    assert find_clusters(matrix(3, {(0, 1): 0.95, (1, 2): 0.7}), fits=anything) == [(0, 1)]


def test_two_groups_with_a_bridge_come_apart():
    """The cut runs where the least hangs together, not by the order of the nodes."""
    even, odd = range(0, 12, 2), range(1, 12, 2)
    pairs = {**clique(even, 0.9), **clique(odd, 0.8), (4, 7): 0.5}
    assert find_clusters(matrix(12, pairs), fits=anything) == [tuple(even), tuple(odd)]


def test_what_does_not_fit_is_cut_further():
    """A dense cluster that may not be one node is tried in its parts."""
    found = find_clusters(matrix(4, clique(range(4), 0.9)), fits=lambda rows: len(rows) < 3)
    assert all(len(cluster) == 2 for cluster in found)


@settings(max_examples=60, deadline=None)
@given(graph=graphs())
def test_clusters_are_disjoint_dense_and_always_the_same(graph):
    """Whatever the graph."""
    adjacency = build_adjacency(graph)
    found = find_clusters(adjacency, fits=anything)
    assert found == find_clusters(adjacency.copy(), fits=anything)
    rows = [row for cluster in found for row in cluster]
    assert len(rows) == len(set(rows))
    for cluster in found:
        inside = adjacency[list(cluster)][:, list(cluster)].sum()
        assert inside / (len(cluster) * (len(cluster) - 1)) >= 0.618 - 1e-12


def test_a_large_part_is_cut_without_all_eigenvectors():
    """A ring of a thousand dense groups, each joined to the next: a rough cut goes through few of them, and each is found."""
    pairs = {}
    for group in range(1_000):
        pairs |= clique(range(3 * group, 3 * group + 3), 0.9)
        pairs[3 * group, (3 * group + 3) % 3_000] = 0.4
    pairs = {(min(pair), max(pair)): weight for pair, weight in pairs.items()}
    found = find_clusters(matrix(3_000, pairs), fits=anything)
    assert [cluster[0] // 3 for cluster in found] == list(range(1_000))
    assert sum(len(cluster) == 3 for cluster in found) > 980


def test_the_densest_pairs_come_first():
    """Those within a step of the densest, no node twice, the faintest of equal ones first, and no more than wanted."""
    pairs = matrix(7, {(0, 1): 0.9, (1, 2): 0.9, (3, 4): 0.85, (5, 6): 0.5})
    gravity = np.array([0.9, 0.5, 0.1, 0.5, 0.5, 0.5, 0.5])
    assert pair_up(pairs, least=0.4, most=9, gravity=gravity) == [(1, 2), (3, 4)]
    assert pair_up(pairs, least=0.4, most=1, gravity=gravity) == [(1, 2)]
    assert pair_up(pairs, least=0.95, most=9, gravity=gravity) == []


# Adjacency


@cases(
    ("edges", "given", "expected"),
    [
        ([], {}, 0.0),
        ([], {"sources": [frozenset({1})] * 2}, 0.6),  # said together: just not enough
        ([], {"sources": [frozenset({1, 2}), frozenset({1})]}, 0.0),  # .3 is noise
        ([(0, 1, "RELATES_TO", 0.8)], {}, 0.8),
        ([(1, 0, "PRECEDES", 0.8)], {}, 0.4),
        ([(1, 0, "CONTRADICTS", 0.8)], {}, 0.0),
        ([(0, 1, "PRECEDES", 0.8), (1, 0, "ALIKE", 0.7)], {}, 0.7),
        ([(0, 1, "ALIKE", 0.9)], {"texts": [("a", "b"), ("d",)]}, 0.45),  # a large one swallows nothing
        ([(0, 1, "ALIKE", 1.0)], {"group": [0, 1]}, 0.0),
        ([(0, 1, "ALIKE", 1.0)], {"group": [-1, -1]}, 0.0),
    ],
)
def test_two_memories_hang_together_by_what_their_edges_and_sources_say(edges, given, expected):
    """The strongest counts: an order in time half of what likeness does, a contradiction nothing."""
    graph = make_graph(2, edges, **given)
    weights = build_adjacency(graph)
    assert weights[0, 1] == pytest.approx(expected)


def test_a_source_of_very_many_statements_is_paired_in_windows():
    """The number of pairs grows with the statements, not with their square."""
    graph = make_graph(5_000, sources=[frozenset({1})] * 5_000)
    low, high, _ = as_pairs(build_adjacency(graph))
    assert len(low) < 16 * 5_000
    assert (high - low).max() == 16


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1_000), count=st.integers(0, 40))
def test_alike_pairs_are_those_that_a_loop_finds(seed, count):
    """Against the plain definition; lengths do not matter, zeros are like nothing."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 3)).astype(np.float32) * rng.integers(0, 3, size=(count, 1))
    rows, columns, cosines = find_alike(vectors, least_cosine=0.8, nearest=count)
    expected = {}
    for row in range(count):
        for column in range(row + 1, count):
            lengths = np.linalg.norm(vectors[row]) * np.linalg.norm(vectors[column])
            if lengths > 0 and vectors[row] @ vectors[column] / lengths >= 0.8:
                expected[row, column] = vectors[row] @ vectors[column] / lengths
    found = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), cosines.tolist(), strict=True))
    assert found == pytest.approx(expected, abs=1e-5)
    assert all(cosine <= 1.0 for cosine in found.values())


def test_where_everything_is_alike_the_nearest_count():
    """The number of pairs grows with the nodes, not with their square."""
    vectors = np.ones((2_500, 2), np.float32)
    rows, columns, cosines = find_alike(vectors, least_cosine=0.5, nearest=3)
    assert 2_500 <= len(rows) <= 3 * 2_500
    assert (rows < columns).all() and cosines == pytest.approx(1.0)
