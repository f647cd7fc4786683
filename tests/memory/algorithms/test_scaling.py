"""Signals on one scale, and rows of which one of them is not known."""

import numpy as np
import pytest

from memory.algorithms.scaling import fill_unknown, standardise

ALL = np.ones(4, bool)


def test_scores_are_in_deviations_of_the_live_rows():
    """Rows that are gone count for nothing; where all are alike nothing stands out."""
    scores = standardise(np.array([1.0, 3.0, 99.0, 2.0]), np.array([True, True, False, True]))
    assert scores[[0, 1, 3]] == pytest.approx([-1.2247, 1.2247, 0.0], abs=1e-3)
    assert not standardise(np.full(4, 7.0), ALL).any()
    assert not standardise(np.array([1.0, 2.0]), np.zeros(2, bool)).any()


def test_where_nothing_is_said_every_row_is_live():
    values = np.array([1.0, 2.0, 6.0])
    assert standardise(values).tolist() == standardise(values, np.ones(3, bool)).tolist()
    assert standardise(values)[2] > 1 and len(standardise(values[:0])) == 0


def test_a_guess_is_put_on_the_scale_of_what_was_measured():
    """However many guesses there are, they do not narrow the scale."""
    measured = np.array([True, True, False, False])
    scores = standardise(np.array([1.0, 3.0, 2.0, 2.0]), ALL, measured=measured)
    assert scores.tolist() == [-1.0, 1.0, 0.0, 0.0]


def test_what_is_not_known_is_expected_from_words():
    """By hand: known rows lie on meaning = 2 + words; the row without a vector is put on that line, whatever stood there."""
    words = np.array([-1.0, 0.0, 1.0, 3.0], np.float32)
    known = np.array([True, True, True, False])
    filled = fill_unknown(np.array([1.0, 2.0, 3.0, -50.0], np.float32), words, alive=ALL, known=known)
    assert filled.tolist() == [1.0, 2.0, 3.0, 5.0]


def test_words_never_count_against_a_row():
    """Where words and meaning happen to disagree among the known, the others stand in their middle."""
    words = np.array([-1.0, 1.0, 2.0, 0.0], np.float32)
    known = np.array([True, True, False, False])
    filled = fill_unknown(np.array([3.0, 1.0, 0.0, 0.0], np.float32), words, alive=ALL, known=known)
    assert filled.tolist() == [3.0, 1.0, 2.0, 2.0]


def test_where_nothing_is_known_meaning_says_nothing():
    """So words decide alone; a known row that is gone does not count."""
    meaning, words = np.array([5.0, 6.0, 7.0, 8.0], np.float32), np.arange(4, dtype=np.float32)
    assert not fill_unknown(meaning, words, alive=ALL, known=~ALL).any()
    gone = np.array([False, True, True, True])
    assert not fill_unknown(meaning, words, alive=gone, known=~gone).any()
    assert fill_unknown(meaning, words, alive=ALL, known=ALL) is meaning
