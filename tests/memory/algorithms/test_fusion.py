"""The order in which memories answer: each signal by itself, on small spaces."""

from dataclasses import replace

import numpy as np
import pytest

from memory.algorithms.dates import DateRange
from memory.algorithms.fusion import FUSION, Corpus, Query, question_share, rank
from memory.algorithms.lexical import LexicalIndex

DAY = 86_400.0
DIMENSION = 8
#: Room for words that no other memory has, so that all have the same length.
FILLER = [["f1", "f2"], ["g1", "g2"], ["h1", "h2"], ["i1", "i2"], ["j1", "j2"], ["k1", "k2"]]


def unit(*values):
    """A unit vector of DIMENSION."""
    vector = np.zeros(DIMENSION, np.float32)
    vector[: len(values)] = values
    return vector / np.linalg.norm(vector)


def make_corpus(documents=FILLER, **overrides):
    """Six memories in six conversations, alike in everything that is not overridden."""
    count = len(documents)
    parts = {
        "vectors": np.tile(unit(1.0), (count, 1)),
        "lexical": LexicalIndex(documents),
        "conversation": np.arange(count),
        "session": np.arange(count),
        "position": np.zeros(count, np.int64),
        "speaker": np.full(count, -1),
        "said_at": np.full(count, np.nan),
    }
    return Corpus.build(**{**parts, **overrides})


def make_query(**overrides):
    """A question without words, people or dates."""
    return Query(**{"vector": unit(1.0), "tokens": (), **overrides})


def one_conversation(count, **overrides):
    """The parts that put all memories into one session, in order."""
    here = np.zeros(count, np.int64)
    return {"conversation": here, "session": here, "position": np.arange(count), **overrides}


def test_the_nearest_meaning_and_the_rarest_word_come_first():
    """With no words in common, vectors decide; with equal vectors, words do."""
    vectors = np.stack([unit(1, 0.1 * row) for row in range(6)])
    assert rank(make_corpus(vectors=vectors), make_query(vector=unit(1, 0.9))).order[0] == 5
    documents = [["tea"], ["tea"], ["tea"], ["cup"], ["tea"], ["pot"]]
    assert rank(make_corpus(documents), make_query(tokens=["tea", "cup"])).order[0] == 3


def test_nearness_leaves_out_what_the_whole_space_shares():
    """Cosine of what is left of each vector without their mean; of a meaning that is not known there is none."""
    vectors = np.stack([unit(1, 0.1 * row, 0.2) for row in range(6)])
    vectors[5], known = 0, np.arange(6) < 5
    mean, question = vectors[known].mean(axis=0), unit(1, 0.3, 0.4)
    apart = vectors[:5] - mean
    lengths = np.linalg.norm(apart, axis=1) * np.linalg.norm(question - mean)
    nearness = rank(make_corpus(vectors=vectors, known=known), make_query(vector=question)).nearness
    assert nearness[:5] == pytest.approx(apart @ (question - mean) / lengths, abs=1e-4) and nearness[5] == 0


def test_a_dead_row_is_never_ranked_and_moves_nothing():
    """Tombstoned rows keep their number and stay out of the order and of the statistics."""
    documents = [["tea"], *FILLER[1:]]
    corpus = make_corpus(documents, alive=np.arange(6) != 0)
    corpus.lexical.remove(0)
    ranking = rank(corpus, make_query(tokens=["tea"]))
    assert ranking.order.tolist() == [1, 2, 3, 4, 5]
    assert len(ranking.score) == 6


def test_an_answer_is_found_by_the_question_before_it():
    """The turn after the one that holds the words beats turns of other conversations."""
    documents = [["when", "bought", "boat"], ["june"], *FILLER[2:]]
    near = {"conversation": np.array([0, 0, 1, 2, 3, 4])}
    corpus = make_corpus(
        documents, **near, session=near["conversation"], position=np.array([0, 1, 0, 0, 0, 0])
    )
    assert rank(corpus, make_query(tokens=["bought", "boat"])).order[:2].tolist() == [0, 1]


def test_repeating_one_word_nearby_does_not_beat_two_words():
    """In a neighbourhood each word of the question counts once."""
    documents = [["boat"], ["boat"], ["boat"], ["boat"], ["boat", "red"], *FILLER]
    conversation = np.array([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7])
    corpus = make_corpus(
        documents, conversation=conversation, session=conversation, position=np.array([0, 1, 2, 3] + [0] * 7)
    )
    assert rank(corpus, make_query(tokens=["boat", "red"])).order[0] == 4


def test_memories_far_apart_in_a_conversation_are_no_neighbours():
    """Gaps are counted in turns: what formation left out still separates."""
    documents = [["boat", "sail"], ["june", "sun"], *FILLER[2:]]
    weights = replace(FUSION, session_words=0.0, crowding=0.0)
    close = make_corpus(documents, **one_conversation(6))
    apart = make_corpus(documents, **one_conversation(6, position=np.arange(6) * 50))
    lifted = rank(close, make_query(tokens=["boat"]), weights=weights).score
    alone = rank(apart, make_query(tokens=["boat"]), weights=weights).score
    assert lifted[1] > lifted[4]
    assert alone[1] == pytest.approx(alone[4])


def test_a_fact_from_no_conversation_has_no_neighbours():
    """Rows marked -1 are neither neighbours nor one session."""
    nowhere = np.full(6, -1)
    documents = [["boat", "sail"], ["june", "sun"], *FILLER[2:]]
    score = rank(
        make_corpus(documents, conversation=nowhere, session=nowhere), make_query(tokens=["boat"])
    ).score
    assert score[0] > score[1]
    assert score[1:] == pytest.approx(np.repeat(score[1], 5))


def test_the_one_speaker_named_is_preferred():
    """A question about what Anna said prefers Anna's words; naming both prefers neither."""
    speakers = np.array([0, 1, 0, 1, 0, 1])
    corpus = make_corpus(speaker=speakers)
    assert set(rank(corpus, make_query(speakers=frozenset({1}))).order[:3].tolist()) == {1, 3, 5}
    assert rank(corpus, make_query(speakers=frozenset({0, 1}))).order.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_date_named_prefers_what_was_said_then_and_soon_after():
    """Within the range first, then the days after it, last what was said before."""
    said_at = np.array([0.0, 90.0, 10.0, 13.0, 40.0, np.nan]) * DAY
    ranking = rank(make_corpus(said_at=said_at), make_query(ranges=(DateRange(9 * DAY, 11 * DAY),)))
    assert ranking.order[:3].tolist() == [2, 3, 4]
    assert np.isfinite(ranking.score).all()


def test_a_question_or_a_greeting_comes_after_what_tells_but_length_is_no_merit_without_end():
    """A question among the memories holds no answer. Few words count less; past `full_length` more count no more."""
    asks = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32)
    assert rank(make_corpus(asks=asks), make_query()).order[-1] == 0
    long, longer = ["l"] * FUSION.full_length, ["l"] * (5 * FUSION.full_length)
    score = rank(make_corpus([["hi"], long, longer, *FILLER[3:]]), make_query()).score
    assert score[0] < score[3] < score[1]
    assert score[1] == pytest.approx(score[2])


def test_a_session_does_not_crowd_out_the_others():
    """Of equal memories, the second of a session comes after the first of another."""
    session = np.array([0, 0, 0, 1, 1, 2])
    order = rank(make_corpus(session=session), make_query()).order.tolist()
    assert order == [0, 3, 5, 1, 4, 2]


def test_the_plain_numbers_are_reported_too():
    """Cosine and BM25 of the row itself, for a calibrated gate, and whether its neighbours hold the words."""
    corpus = make_corpus([["tea"], *FILLER[1:]], **one_conversation(6))
    ranking = rank(corpus, make_query(vector=unit(1, 1), tokens=["tea"]))
    assert ranking.cosine == pytest.approx(np.full(6, np.sqrt(0.5)), abs=1e-6)
    assert ranking.lexical == pytest.approx(corpus.lexical.scores(["tea"]))
    assert np.flatnonzero(ranking.lexical).tolist() == [0]
    assert np.flatnonzero(ranking.covered).tolist() == [0, 1, 2]


def test_the_share_of_questions_is_counted_in_sentences(subtests):
    """Attachments told in brackets ask nothing."""
    for text, share in [
        ("How are you?", 1.0),
        ("I am fine. And you?", 0.5),
        ("Really?! That is good.", 0.5),
        ("I moved to Lund", 0.0),
        ("I moved. [shares a picture: who is this?]", 0.0),
        ("", 0.0),
        ("?", 0.0),
    ]:
        with subtests.test(text=text, share=share):
            assert question_share(text) == share
