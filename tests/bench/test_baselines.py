"""The plain methods beside ours."""

import numpy as np

from bench.baselines import Bm25Baseline, DenseBaseline
from tests.cases import cases

TEXTS = ["The cat sat on the mat", "Dogs bark at night", "A cat and a dog", "Nothing at all"]


def test_bm25_finds_stems():
    """Words count in any form; ties keep the order of the texts."""
    assert Bm25Baseline(TEXTS, language="en").rank("barking dogs").tolist()[:2] == [1, 2]


@cases(("language", "question"), [("sv", "hästarna"), ("de", "hästen"), ("en", "hästen")])
def test_bm25_takes_any_language(language, question):
    """Where there is no stemmer, words are compared as they stand."""
    texts = ["en katt", "hästen är brun", "en hund"]
    assert Bm25Baseline(texts, language=language).rank(question)[0] == 1


@cases("question", ["", "the", "zebra"])
def test_a_question_without_a_known_word_ranks_by_row(question):
    """No score is better than another."""
    assert Bm25Baseline(TEXTS, language="en").rank(question).tolist() == [0, 1, 2, 3]


def test_vectors_rank_by_cosine():
    """The nearest first."""
    vectors = np.eye(3, dtype=np.float32)
    assert DenseBaseline(vectors).rank(np.array([0.1, 0.9, 0.3], np.float32)).tolist() == [1, 2, 0]
