"""Relevance: five terms of 0 to 1, one sum for both tiers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.fusion import Signals
from memory.algorithms.relevance import (
    RELEVANCE,
    TERMS,
    keyword_term,
    meaning_term,
    recency_term,
    score_relevance,
)

pytestmark = pytest.mark.spec("I5", "AC-2.2.6")

SHARE = st.floats(0, 1)
ANY = st.floats(-2, 3)
ROWS = np.arange(2)
FULL = np.ones(2)


def signals(**given) -> Signals:
    """Two memories that answer to nothing, of a question that names nothing."""
    fields = {"meaning": np.zeros(2), "words": None, "session_words": None, "speaker": None, "date": None}
    return Signals(**{**fields, **given})


@given(st.lists(st.tuples(ANY, ANY, ANY, ANY, ANY), min_size=1, max_size=20))
def test_the_terms_by_their_weights_are_the_score(rows):
    """The explanation is the score: nothing else goes into it, and both stay within 0 and 1."""
    found = score_relevance(**dict(zip(TERMS, np.array(rows).T, strict=True)))
    assert list(found.terms) == list(TERMS)
    for at in range(len(rows)):
        told = found.explain(at)
        assert all(0 <= value <= 1 for value in told.values())
        assert found.score[at] == pytest.approx(sum(RELEVANCE.terms[name] * told[name] for name in TERMS))
        assert 0 <= found.score[at] <= 1


@given(st.tuples(SHARE, SHARE, SHARE))
def test_without_a_question_what_remains_has_all_the_weight(values):
    """A memory that is as important, sure and recent as can be has 1, asked for or not."""
    found = score_relevance(importance=values[:1], confidence=values[1:2], recency=values[2:])
    assert set(found.terms) == {"importance", "confidence", "recency"}
    assert sum(found.weights.values()) == pytest.approx(1)
    assert found.score[0] == pytest.approx(
        sum(found.weights[name] * value for name, value in found.explain(0).items())
    )


def test_what_the_question_names_counts_and_nothing_else_is_missed():
    """All of its words is all there is to find, where it names nobody and no time; half of them is half."""
    both = signals(words=np.array([1.0, 0.5]), session_words=np.array([1.0, 0.5]))
    assert keyword_term(both, ROWS, substance=FULL) == pytest.approx([1.0, 0.5])


def test_a_person_or_a_time_that_is_named_has_to_be_found_too():
    """With somebody named, the words alone are not all."""
    asked = {"words": np.array([1.0, 1.0]), "session_words": np.array([1.0, 1.0])}
    for named in (
        {"speaker": np.array([True, False])},
        {"date": np.array([1.0, 0.0])},
    ):
        hers, others = keyword_term(signals(**asked, **named), ROWS, substance=FULL)
        assert hers == pytest.approx(1.0) and 0.5 < others < 1.0


def test_a_question_that_names_nothing_has_no_keyword():
    """There is nothing to find, in anything."""
    assert keyword_term(signals(), ROWS, substance=FULL).tolist() == [0.0, 0.0]


@given(SHARE, SHARE, SHARE)
def test_what_says_little_matches_little(cosine, words, substance):
    """A greeting shares a word and a tone with much, and answers nothing."""
    both = signals(meaning=np.full(2, cosine), words=np.full(2, words))
    says = np.array([1.0, substance])
    for term in (keyword_term, meaning_term):
        full, part = term(both, ROWS, substance=says)
        assert 0 <= part <= full <= 1
        assert part == pytest.approx(full * np.sqrt(substance))


def test_a_short_term_memory_halves_by_the_week_and_a_long_term_one_does_not_lose():
    """Both tiers have recency, each its own way."""
    age = np.array([0.0, 7.0, 14.0, 400.0])
    fading = recency_term(age, lasting=np.zeros(4, bool))
    assert fading[:3] == pytest.approx([1.0, 0.5, 0.25]) and fading[3] < 1e-9
    assert recency_term(age, lasting=np.ones(4, bool)).tolist() == [1.0] * 4
