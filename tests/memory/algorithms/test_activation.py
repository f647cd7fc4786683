"""Activation: bloom, six terms, trim under caps, resonance in closed form."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from memory.algorithms.activation import (
    TERMS,
    TYPES,
    ActivationParams,
    bloom,
    raise_resonance,
    resonate,
    score_activation,
    source_weight,
    stay_resonant,
    trim,
)
from tests.cases import cases

pytestmark = pytest.mark.spec("K2")

SHARE = st.floats(0, 1)
WEIGHTS = [0.0, 0.2, 0.5, 0.5, 0.9, 1.0]


def graph(count: int, edges: dict[tuple[int, int], float]) -> csr_array:
    """Return the adjacency with exactly these edges; one of no weight is kept as an entry."""
    pairs = np.array(list(edges), np.int64).reshape(-1, 2)
    return csr_array((np.array([*edges.values()], float), (pairs[:, 0], pairs[:, 1])), shape=(count, count))


@st.composite
def graphs(draw) -> tuple[int, dict[tuple[int, int], float], list[int]]:
    """Draw a number of rows, directed edges (few or many, a lot of equal weight), and seeds."""
    count, share = draw(st.integers(1, 14)), draw(st.sampled_from([0.0, 0.1, 0.3, 0.8]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    pairs = np.argwhere(rng.random((count, count)) < share).tolist()
    edges = {(source, target): float(rng.choice(WEIGHTS)) for source, target in pairs}
    return count, edges, draw(st.lists(st.integers(0, count - 1), max_size=4))


def walk(count, edges, seeds, *, hops, most, least):
    """Return row → (hops, edge) by the rule, one row at a time."""
    reached = dict.fromkeys(seeds, (0, 1.0))
    for hop in range(1, hops + 1):
        before = set(reached)
        picked = set()
        for row in sorted(row for row, (at, _) in reached.items() if at == hop - 1):
            out = [
                (-weight, target)
                for (source, target), weight in edges.items()
                if source == row and target not in before and weight > 0 and weight >= least
            ]
            picked |= {target for _, target in sorted(out)[:most]}
        for row in picked:
            over = [edges.get((source, row), 0.0) for source in before]
            reached[row] = (hop, max(weight for weight in over if weight >= least))
    return reached


@settings(max_examples=100)
@given(graphs(), st.integers(0, 3), st.one_of(st.none(), st.integers(0, 4)), st.sampled_from([0.0, 0.5]))
def test_bloom_is_the_walk_of_the_rule(drawn, hops, most, least):
    """Each row of a hop adds its heaviest new neighbours; the edge term is the heaviest edge from a nearer row."""
    count, edges, seeds = drawn
    found = bloom(graph(count, edges), seeds, hops=hops, max_per_node=most, min_weight=least)
    told = {
        row: (hop, edge) for row, hop, edge in zip(found.rows, found.hops, found.edge, strict=True)
    }  # numbers compare across types
    assert told == walk(count, edges, seeds, hops=hops, most=most, least=least)
    assert found.rows.tolist() == sorted(told)


def test_the_order_in_which_a_matrix_keeps_its_entries_does_not_matter():
    """Of equal weight the lower row is added, wherever its entry stands; the matrix is left as it was."""
    mixed = csr_array((np.full(3, 0.5), np.array([3, 1, 2]), np.array([0, 3, 3, 3, 3])), shape=(4, 4))
    assert bloom(mixed, [0], max_per_node=2).rows.tolist() == [0, 1, 2]
    assert mixed.indices.tolist() == [3, 1, 2]


@given(
    st.lists(
        st.tuples(
            st.floats(-1, 1), SHARE, st.floats(-5, 1e4) | st.just(np.nan), st.integers(0, 10**6), SHARE, SHARE
        ),
        max_size=20,
    )
)
def test_the_score_is_the_sum_of_its_weighted_terms(rows):
    """The explanation is the score: nothing else goes into it, and both stay within 0 and 1."""
    names = ("cosine", "edge", "age_days", "uses", "task_affinity", "persona")
    found = score_activation(**dict(zip(names, np.array(rows, float).reshape(-1, 6).T, strict=True)))
    assert found.score.shape == (len(rows),)
    for at in range(len(rows)):
        told = found.explain(at)
        assert list(told) == list(TERMS) and all(0 <= value <= 1 for value in told.values())
        assert found.score[at] == pytest.approx(sum(found.weights[name] * told[name] for name in TERMS))
        assert 0 <= found.score[at] <= 1


@cases(
    ("given", "term", "expected"),
    [
        ({"cosine": [-0.4]}, "meaning", 0.0),
        ({"cosine": [0.6]}, "meaning", 0.6),
        ({"age_days": [7.0]}, "recency", 0.5),
        ({"age_days": [-3.0]}, "recency", 1.0),
        ({"age_days": [np.nan]}, "recency", 0.0),
        ({"uses": [0]}, "usage", 0.0),
        ({"uses": [9]}, "usage", np.log(10) / np.log(101)),
        ({"uses": [10**9]}, "usage", 1.0),
    ],
)
def test_what_each_term_goes_by(given, term, expected):
    """Opposite meaning is none, recency halves by the week, usage grows by its logarithm and is full at a hundred."""
    plain = {"cosine": [0.0], "edge": [0.0], "age_days": [np.nan], "uses": [0]}
    found = score_activation(**{**plain, **given}, task_affinity=[0.0], persona=[0.0])
    assert found.terms[term][0] == pytest.approx(expected)


SCORED = st.lists(
    st.tuples(st.sampled_from([-np.inf, np.nan, 0.0, 0.3, 0.3, 0.5, 1.0]), st.integers(0, len(TYPES) - 1)),
    max_size=60,
)


@given(SCORED, st.lists(st.integers(0, 4), min_size=9, max_size=9), st.one_of(st.none(), st.integers(0, 12)))
def test_trim_takes_the_best_of_each_type_under_its_cap(rows, caps, most):
    """As taking one after the other, best first and of equal ones the lower, wherever the type has room."""
    score, codes = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], np.int64)
    room, expected = list(caps), []
    for at in sorted(range(len(rows)), key=lambda at: (-np.nan_to_num(score[at], nan=-np.inf), at)):
        if score[at] > -np.inf and room[codes[at]] > 0:
            room[codes[at]] -= 1
            expected.append(at)
    assert trim(score, codes, caps=caps, most=most).tolist() == expected[:most]


@given(SHARE, SHARE, st.integers(0, 300))
def test_resonance_in_closed_form_is_resonance_tick_by_tick(value, decay, ticks):
    """Worked out where it is read, it is what a job at each tick would have made of it."""
    stepped = value
    for _ in range(ticks):
        stepped *= decay
    assert resonate([value], [decay], [ticks])[0] == pytest.approx(stepped, rel=1e-9, abs=1e-300)


def test_ticks_that_have_not_come_count_for_nothing():
    """A node noted at a later tick than the reader's has what was noted."""
    assert resonate([0.4], [0.9], [-3]).tolist() == [0.4]


@given(SHARE, SHARE, SHARE)
def test_activation_raises_resonance_and_never_past_one(value, other, score):
    """What is activated resonates at least as before, and alike activated nodes keep their order."""
    low, high = sorted((value, other))
    one, two = raise_resonance([low, high], [score, score])
    assert low <= one <= two <= 1 and high <= two


@given(st.lists(st.sampled_from([0.0, 0.04, 0.05, 0.3, 0.3, 1.0]), max_size=40), st.integers(0, 12))
def test_what_no_longer_resonates_leaves_the_working_set(resonance, most):
    """Below ε nothing stays, and of the others the strongest up to the bound."""
    params = ActivationParams(most_in_working_set=most)
    strong = sorted((-value, row) for row, value in enumerate(resonance) if value >= params.epsilon)
    assert stay_resonant(resonance, params=params).tolist() == [row for _, row in strong[:most]]


def test_the_working_set_stays_below_eight_hundred():
    """However much resonates, and a node that is not activated again is gone 149 ticks after it was fully."""
    assert len(stay_resonant(np.ones(5_000))) == 799
    assert len(stay_resonant(resonate([1.0], [0.98], [148]))) == 1
    assert len(stay_resonant(resonate([1.0], [0.98], [149]))) == 0


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_sources_weigh_from_a_half_to_the_whole(shown, helped):
    """One more use never lowers a source, one more use in vain never raises it."""
    weight, used, wasted = source_weight([shown, shown + 1, shown + 1], [helped, helped + 1, helped])
    assert 0.5 <= weight <= 1 and used >= weight - 1e-12
    assert wasted <= weight + 1e-12 or helped > shown


def test_a_source_loses_weight_once_it_is_known_to_be_useless(subtests):
    """Ten times in vain are forgiven; half of the time of use is enough."""
    for shown, helped, expected in [
        (0, 0, 1.0),
        (10, 0, 1.0),
        (20, 0, 0.875),
        (100, 0, 0.625),
        (100, 50, 1.0),
        (3, 900, 1.0),
    ]:
        with subtests.test(shown=shown, helped=helped):
            assert source_weight([shown], [helped])[0] == pytest.approx(expected)
