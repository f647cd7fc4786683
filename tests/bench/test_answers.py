"""How well a question and a statement match is learned from pairs of them."""

import numpy as np
import pytest

from bench.answers import Case, fit_match, match
from memory.reading.answers import Compared

pytestmark = pytest.mark.spec("L3")
DIRECTIONS = 6


def case(asked: int, *told: int, answer: int | None, by: str = "a") -> Case:
    """Return a question in one direction beside statements in others, each the only clause of itself."""
    axes = np.eye(DIRECTIONS, dtype=np.float32)
    places = np.arange(len(told))
    compared = Compared(axes[asked], axes[list(told)], axes[list(told)], places)
    facts, may = np.zeros((len(told), 1), np.float32), np.ones(len(told), bool)
    return Case(facts, compared, may, np.array([one == answer for one in told]), by)


#: What asks in one direction is answered in the next; without that nothing answers, however near a statement is.
ASKED = [
    case(
        asked,
        asked,
        (asked + 2) % DIRECTIONS,
        *([(asked + 1) % DIRECTIONS] if is_told else []),
        answer=(asked + 1) % DIRECTIONS if is_told else None,
        by=by,
    )
    for asked in range(DIRECTIONS)
    for is_told in (True, False)
    for by in "ab" * 10
]


def test_what_answers_matches_and_what_is_only_near_does_not():
    """Learned is where answers lie, and that nothing answers."""
    weights = fit_match(ASKED)
    learned, nothing = weights["match"].astype(np.float32), float(weights["nothing"])
    for one in ASKED:
        whole = one.compared.match(learned, nothing)[:, 0]
        assert (whole > 0).tolist() == one.answers.tolist()


def test_an_author_s_matches_are_told_by_weights_that_have_not_seen_them():
    """Of two authors of whom one answers in another direction, neither is told what they taught."""
    others = [case(0, 1, 3, answer=3, by="other") for _ in range(40)]
    most = [case(0, 1, 3, answer=1, by="most") for _ in range(40)]
    matched, _ = match([*others, *most])
    best = {
        by: {int(one.facts[:, 1].argmax()) for one in matched if one.by == by} for by in ("other", "most")
    }
    assert best == {"other": {0}, "most": {1}}


def test_a_statement_matches_by_its_best_clause():
    """Of two that match alike as a whole, one has a clause that matches better."""
    axes = np.eye(DIRECTIONS, dtype=np.float32)
    compared = Compared(axes[0], axes[[1, 1]], axes[[2, 0]], np.array([1, 1]))
    found = compared.match(axes, 0.5)
    assert found[:, 0].tolist() == [-0.5, -0.5] and found[:, 3].tolist() == [-0.5, 0.5]


def test_of_nothing_nothing_matches():
    """A person who has told nothing yet, and a statement of one clause."""
    weights = np.eye(DIRECTIONS, dtype=np.float32)
    none = Compared(weights[0], weights[:0], weights[:0], np.zeros(0, np.intp))
    assert none.match(weights, 0.5).shape == (0, 5)
    alone = Compared(weights[0], weights[:1], weights[:0], np.zeros(0, np.intp))
    assert alone.match(weights, 0.5)[0, [0, 3]].tolist() == [0.5, 0.5]
