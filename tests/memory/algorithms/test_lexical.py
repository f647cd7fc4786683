"""The lexical index: exact BM25 whatever the order of writes."""

from collections import Counter

import numpy as np
import pytest

from memory.algorithms.lexical import LexicalIndex
from tests.cases import cases

WORDS = [f"w{number}" for number in range(60)]


def reference_scores(documents, query, *, k1=0.9, b=0.4):
    """BM25 by its formula, document by document; None is a document that is gone."""
    live = [document for document in documents if document is not None]
    mean = sum(map(len, live)) / len(live)
    scores = []
    for document in documents:
        total = 0.0
        for word in dict.fromkeys(query):
            holding = sum(word in other for other in live)
            count = Counter(document or ())[word]
            if count:
                idf = np.log(1 + (len(live) - holding + 0.5) / (holding + 0.5))
                total += idf * count * (k1 + 1) / (count + k1 * (1 - b + b * len(document) / mean))
        scores.append(total)
    return np.array(scores)


def random_document(rng):
    """Up to 12 words, common ones more often, sometimes none."""
    return [WORDS[min(int(rng.exponential(12)), 59)] for _ in range(rng.integers(0, 12))]


def test_scores_are_bm25_by_its_formula():
    """Count, length and rarity weigh as published."""
    documents = [["cat", "sat", "mat"], ["cat", "cat"], ["dog", "sat"], []]
    query = ["cat", "sat", "unknown", "cat"]
    assert LexicalIndex(documents).scores(query) == pytest.approx(
        reference_scores(documents, query), rel=1e-6
    )


@pytest.mark.slow
def test_any_order_of_writes_gives_the_scores_of_a_fresh_index():
    """After hundreds of additions, changes and removals, across folds of the tail, every score is exact."""
    rng = np.random.default_rng(7)
    documents = [random_document(rng) for _ in range(300)]
    index = LexicalIndex(documents)
    for step in range(1_500):
        row = int(rng.integers(len(documents)))
        match rng.integers(3):
            case 0:
                documents.append(random_document(rng))
                assert index.add(documents[-1]) == len(documents) - 1
            case 1:
                documents[row] = random_document(rng)
                index.update(row, documents[row])
            case 2:
                documents[row] = None
                index.remove(row)
        if step % 300 == 0:
            query = [*random_document(rng), "w0", "w59"]
            assert index.scores(query) == pytest.approx(reference_scores(documents, query), rel=1e-5)
    query = WORDS[::7]
    assert index.scores(query) == pytest.approx(reference_scores(documents, query), rel=1e-5)


def test_contributions_add_up_to_scores():
    """Each line is one word's share, in the order of the query."""
    documents = [["a", "b"], ["b", "c"], ["a"]]
    index = LexicalIndex(documents)
    lines = index.contributions(["c", "x", "a"])
    assert lines.shape == (2, 3)
    assert lines.sum(axis=0) == pytest.approx(reference_scores(documents, ["c", "a"]))
    assert lines[0].tolist() == index.scores(["c"]).tolist()


def test_only_the_rarest_terms_are_kept_when_asked():
    """A long message is searched by what tells memories apart."""
    index = LexicalIndex([["the", "cat"], ["the", "dog"], ["the", "dog"]])
    assert index.contributions(["the", "dog", "cat"], most=1).tolist() == [index.scores(["cat"]).tolist()]


@cases("index", [LexicalIndex(), LexicalIndex([[]]), LexicalIndex([["a"]])])
def test_nothing_to_find_scores_nothing(index):
    """An empty index, an empty row and an unknown word are no errors."""
    assert index.scores(["b"]).tolist() == [0.0] * len(index)
