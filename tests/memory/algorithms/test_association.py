"""What the best answers bring to mind: the same person's words of another time that are like them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.algorithms.association import ASSOCIATION, associate
from memory.algorithms.fusion import FUSION, Corpus, Query, rank
from memory.algorithms.lexical import LexicalIndex
from tests.cases import cases

pytestmark = pytest.mark.spec("K2")

DIMENSION = 48
NEAR = 40
HER, HIM = 1, 2
#: What a session holds is no signal here, so that only likeness moves anything.
ALONE = replace(FUSION, session_words=0.0, crowding=0.0)


def make_corpus(like: np.ndarray, *, session=None, speaker=None, alive=None, known=None) -> Corpus:
    """Return a corpus of the given vectors, each of a conversation and a session of its own unless given."""
    count = len(like)
    numbers = np.arange(count, dtype=np.int64)
    return Corpus.build(
        vectors=like,
        lexical=LexicalIndex([f"word{row}"] * 5 for row in range(count)),
        conversation=numbers,
        session=numbers if session is None else np.array(session),
        position=np.zeros(count, np.int64),
        speaker=np.full(count, HER) if speaker is None else np.array(speaker),
        said_at=np.full(count, np.nan),
        alive=alive,
        known=known,
    )


def scatter(count: int, seed: int = 0) -> np.ndarray:
    """Return (count, d) unit vectors that have little to do with each other."""
    vectors = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def with_twin(count: int = 60) -> np.ndarray:
    """Return scattered vectors of which that in row NEAR is nearly the first's."""
    vectors = scatter(count)
    twin = 0.95 * vectors[0] + 0.3 * vectors[NEAR]
    vectors[NEAR] = twin / np.linalg.norm(twin)
    return vectors


def ask(corpus: Corpus, word: int = 0):
    """Return the ranking of a question that shares a word with one row, and no meaning with any."""
    query = Query(vector=np.zeros(DIMENSION, np.float32), tokens=[f"word{word}"])
    return rank(corpus, query, weights=ALONE)


def place(ranking, row: int) -> int:
    return ranking.order.tolist().index(row)


def test_what_is_like_an_answer_follows_it_though_the_question_shares_nothing_with_it():
    """A question finds one thing by its word, and the other by the first."""
    corpus = make_corpus(with_twin())
    plain = ask(corpus)
    found = associate(corpus, plain)
    assert place(plain, NEAR) == NEAR
    assert place(found, NEAR) == ASSOCIATION.held and place(found, 0) == 0


@cases(
    "given",
    [
        {"session": [3 if row in (0, NEAR) else 100 + row for row in range(60)]},
        {"speaker": [HIM if row == NEAR else HER for row in range(60)]},
        {"known": np.arange(60) != NEAR},
        {"known": np.arange(60) != 0},
    ],
)
def test_where_no_edge_leads_nothing_is_moved_up(given):
    """Likeness leads out of the session, to the same person, between memories whose meaning is known."""
    vectors = with_twin()
    if "known" in given:
        vectors[~given["known"]] = 0
    corpus = make_corpus(vectors, **given)
    plain = ask(corpus)
    assert place(plain, NEAR) == NEAR
    assert place(associate(corpus, plain), NEAR) >= NEAR


def test_a_weak_answer_leads_less_far_than_a_strong_one():
    """What is like the best answer comes before what is as like one that hardly answers."""
    vectors = scatter(60)
    vectors[40] = 0.95 * vectors[0] + 0.3 * vectors[40]
    vectors[41] = 0.95 * vectors[7] + 0.3 * vectors[41]
    corpus = make_corpus(vectors / np.linalg.norm(vectors, axis=1)[:, None])
    found = associate(corpus, ask(corpus))
    assert place(found, 40) < place(found, 41)


@settings(max_examples=40)
@given(st.integers(0, 30), st.integers(0, 5), st.data())
def test_every_memory_keeps_one_place_and_the_first_keep_theirs(count, seed, data):
    """Nothing is lost or told twice, whatever is gone, unknown, or of whose and of which session."""
    vectors = scatter(count, seed)
    alive, known = (
        np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), bool) for _ in range(2)
    )
    vectors[~known] = 0
    numbers = st.lists(st.integers(-1, 2), min_size=count, max_size=count)
    session, speaker = (np.array(data.draw(numbers), np.int64) for _ in range(2))
    corpus = make_corpus(vectors, session=session, speaker=speaker, alive=alive, known=known)
    plain = ask(corpus)
    found = associate(corpus, plain)
    assert sorted(found.order.tolist()) == np.flatnonzero(alive).tolist()
    assert found.order[: ASSOCIATION.held].tolist() == plain.order[: ASSOCIATION.held].tolist()
    assert np.isfinite(found.score[found.order]).all()
