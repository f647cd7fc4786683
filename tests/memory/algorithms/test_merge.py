"""Several nodes become one, and whole graphs are compressed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.algorithms.compression import Compressed, compress_graph, find_faded, find_surplus
from memory.algorithms.difference import differ_in_value
from memory.algorithms.graphs import ALONE, Edges, Graph
from memory.algorithms.merge import join_statements, merge_clusters, repoint_edges, write_out
from tests.memory.algorithms.graphs import MODALITIES, complete, graphs, make_graph

pytestmark = pytest.mark.spec("G5")


def always(text: str, other: str, together: bool) -> bool:
    return True


def by_values(text: str, other: str, together: bool) -> bool:
    return not (differ_in_value(text, other) or differ_in_value(other, text))


def compress(graph: Graph, **options) -> Compressed:
    options = {"may_merge": always, "modalities": MODALITIES, **options}
    return compress_graph(graph, **options)


def described(graph: Graph) -> list:
    """Return all of a graph in a form that can be compared."""
    edges = graph.edges
    return [
        graph.gravity.tolist(), graph.modality.tolist(), graph.group.tolist(), graph.active.tolist(),
        graph.prunable.tolist(), graph.droppable.tolist(), graph.said_at.tolist(), graph.texts, graph.sources,
        edges.source.tolist(), edges.target.tolist(), edges.kind.tolist(), edges.weight.tolist(),
    ]  # fmt: skip


def as_given(graph: Graph) -> Graph:
    """Return a graph as one that is met for the first time."""
    return replace(graph, members=tuple((row,) for row in range(len(graph))))


# One merge


def test_a_merged_node_holds_what_its_members_held():
    """Every statement in order of time, all sources, the heaviest one's gravity and modality."""
    graph = make_graph(
        3,
        gravity=[0.2, 0.7, 0.4],
        modality=[0, 3, 1],
        said_at=[2, 1, 3],
        texts=[("b c",), ("a",), ("x",)],
        sources=[frozenset({1}), frozenset({1, 2}), frozenset({9})],
    )
    merged = merge_clusters(graph, [(0, 1)])
    assert merged.texts == (("a", "b c"), ("x",))
    assert merged.sources == (frozenset({1, 2}), frozenset({9}))
    assert merged.members == ((0, 1), (2,))
    assert merged.gravity.tolist() == [0.7, 0.4]
    assert merged.modality.tolist() == [3, 1]
    assert merged.said_at.tolist() == [1, 3]


def test_edges_follow_their_nodes():
    """What led to a member leads to the merged node; of parallel edges the strongest stays, of inner ones none."""
    edges = Edges.of(
        [(0, 2, "A", 0.3), (1, 2, "A", 0.5), (1, 2, "B", 0.4), (2, 0, "A", 0.2), (0, 1, "A", 1.0)]
    )
    moved = repoint_edges(edges, np.array([0, 0, 2]))
    rows = list(zip(moved.source, moved.target, moved.kind, moved.weight, strict=True))
    assert rows == [(0, 2, "A", 0.5), (0, 2, "B", 0.4), (2, 0, "A", 0.2)]


def test_what_is_shared_is_said_once():
    """Word for word repetitions, and statements that stand in another in one piece, are left out."""
    texts = ["I like cats.", "I like cats", "I like cats and dogs", "i LIKE Cats!", "Cats like me"]
    assert join_statements(texts) == ("I like cats and dogs", "Cats like me")
    assert join_statements(["a b", "a b"]) == ("a b",)
    assert join_statements(["I do not like cats", "I like cats"]) == ("I do not like cats", "I like cats")


def test_a_merged_text_is_one_statement_a_line():
    """Each ends like a sentence, and none breaks in two."""
    assert write_out(["My cat\nsleeps", "Does he?", "Yes…", 'He said "no"']) == (
        'My cat sleeps.\nDoes he?\nYes…\nHe said "no"'
    )


# Whole compressions, whatever the graph


@settings(max_examples=150, deadline=None)
@given(
    graph=graphs(), most=st.one_of(st.none(), st.integers(0, 24)), decide=st.sampled_from([always, by_values])
)
def test_whatever_is_compressed(graph, most, decide):
    """No edge dangles or leads to itself, gravity never grows, who may not go stays, and each node ends in one place."""
    done = compress(graph, max_nodes=most, may_merge=decide)
    left = done.graph
    held = [member for members in left.members for member in members]
    assert sorted([*held, *done.pruned]) == list(range(len(graph)))
    assert all(graph.prunable[row] or graph.droppable[row] for row in done.pruned)
    assert left.gravity.sum() <= graph.gravity.sum() + 1e-12
    assert left.active_count <= graph.active_count
    # The graph itself refuses edges that dangle or lead to themselves; here, that they lead where their nodes went.
    of = {member: row for row, members in enumerate(left.members) for member in members}
    wanted = {}
    for source, target, kind, weight in zip(
        graph.edges.source.tolist(), graph.edges.target.tolist(), graph.edges.kind.tolist(),
        graph.edges.weight.tolist(), strict=True,
    ):  # fmt: skip
        ends = of.get(source), of.get(target)
        if None not in ends and ends[0] != ends[1]:
            wanted[(*ends, kind)] = max(weight, wanted.get((*ends, kind), 0.0))
    edges = left.edges
    found = zip(edges.source.tolist(), edges.target.tolist(), edges.kind.tolist(), strict=True)
    assert dict(zip(found, edges.weight.tolist(), strict=True)) == wanted
    for members in left.members:
        if len(members) > 1:
            rows = list(members)
            assert len(set(graph.group[rows].tolist())) == 1
            assert graph.group[rows[0]] != ALONE
    assert (done.pruning_loss >= 0).all() and (done.merging_loss >= 0).all()
    assert 1 <= done.cycles <= 3


@settings(max_examples=100, deadline=None)
@given(
    graph=graphs(), most=st.one_of(st.none(), st.integers(0, 24)), decide=st.sampled_from([always, by_values])
)
def test_a_settled_graph_stays_as_it_is(graph, most, decide):
    """Compressed again, what a compression has left is the same; so is the same graph compressed twice."""
    first = compress(graph, max_nodes=most, may_merge=decide)
    assert described(compress(graph, max_nodes=most, may_merge=decide).graph) == described(first.graph)
    again = compress(as_given(first.graph), max_nodes=most, may_merge=decide)
    assert described(again.graph) == described(first.graph)
    assert again.cycles == 1 and again.pruned == () and again.merged == {}


@settings(max_examples=50, deadline=None)
@given(graph=graphs())
def test_values_that_differ_stand_in_no_merged_node(graph):
    """However dense the cluster."""
    for members in compress(graph, max_nodes=1, may_merge=by_values).merged.values():
        texts = [graph.texts[member][0] for member in members]
        kept = join_statements(texts)
        assert all(by_values(one, other, False) for one in kept for other in kept if one != other)


# Odd graphs


def test_what_contradicts_does_not_become_one():
    """Even where everything else between two nodes says so."""
    graph = make_graph(2, [(0, 1, "SUPPORTS", 1.0), (1, 0, "CONTRADICTS", 0.1)])
    assert len(compress(graph, max_nodes=1).graph) == 2


def test_a_merged_text_does_not_grow_without_end():
    """What would be longer than the embedder reads stays in pieces."""
    texts = [(f"{row} " + "word " * 100,) for row in range(10)]
    done = compress(make_graph(10, complete(range(10), 0.9), texts=texts), max_nodes=1)
    assert all(sum(map(len, statements)) <= 1_200 for statements in done.graph.texts)
    assert len(done.graph) > 1


@pytest.mark.slow
def test_thousands_of_nodes():
    """Messages of four statements, joined at random: everything still holds."""
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 4_000, size=(3_200, 2))
    edges = {(a, b): w for (a, b), w in zip(ends.tolist(), rng.random(3_200).tolist(), strict=True) if a != b}
    graph = make_graph(
        4_000,
        [(*pair, "RELATES_TO", weight) for pair, weight in edges.items()],
        gravity=rng.random(4_000),
        sources=[frozenset({row // 4}) for row in range(4_000)],
        texts=[(f"t{row}",) for row in range(4_000)],
    )
    done = compress(graph, max_nodes=2_000)
    assert len(done.graph) == 2_000
    assert done.graph.gravity.sum() <= graph.gravity.sum()


def test_what_may_go_falls_below_the_floor_and_where_there_are_too_many():
    """The floor is 0.382, and what lies on it stays; of too many the faintest go, history apart, of equal ones the first said."""
    faint = make_graph(4, gravity=[0.3819, 0.382, 0.9, 0.0], prunable=[True, True, True, False])
    assert find_faded(faint).tolist() == [True, False, False, False]
    many = make_graph(
        6,
        gravity=[0.5, 0.1, 0.3, 0.3, 0.0, 0.0],
        said_at=[0, 1, 3, 2, 4, 5],
        droppable=[True] * 4 + [False, True],
        active=[True] * 5 + [False],
    )
    gone = {most: np.flatnonzero(find_surplus(many, max_nodes=most)).tolist() for most in (5, 4, 3, 0)}
    assert gone == {5: [], 4: [1], 3: [1, 3], 0: [0, 1, 2, 3]}
