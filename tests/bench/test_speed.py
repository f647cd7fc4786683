"""What the bench of speed stands on: memories made by the site's own services, and a write that equals a rebuild."""

from datetime import timedelta

import numpy as np
import pytest

from bench.__main__ import measure_speed
from bench.sentences import make_sentences
from bench.students import NOW, make_sets, make_space
from bench.timing import HEADING, Row, interleave, percentiles
from bench.vectors import mix_vectors
from companion_site.vault import unlocked
from memory.student.store import touch


def test_sentences_are_distinct_and_the_same_each_time():
    """In both languages; a seed is a text."""
    sentences = make_sentences(500)
    assert len({text for text, _ in sentences}) == 500
    assert {language for _, language in sentences} == {"en", "sv"}
    assert sentences == make_sentences(500)
    assert make_sentences(5, seed=1) != sentences[:5]


def test_mixed_vectors_keep_their_length():
    """More vectors than were embedded are still unit vectors, the first ones untouched."""
    given = np.eye(4, dtype=np.float32)
    mixed = mix_vectors(given, 50)
    assert mixed.shape == (50, 4)
    assert np.allclose(np.linalg.norm(mixed, axis=1), 1)
    assert np.array_equal(mixed[:4], given)


def test_works_are_timed_in_turn():
    """One of each per round, the warm-up not counted."""
    done: list[str] = []
    times = interleave({"a": lambda: done.append("a"), "b": lambda: done.append("b")}, rounds=3, warm_up=1)
    assert done == ["a", "b"] * 4
    assert [len(times["a"]), len(times["b"])] == [3, 3]


def test_a_line_says_whether_the_bar_is_kept():
    """At p95, with the ratio to the floor at p50."""
    assert percentiles([1.0] * 19 + [9.0])["ms_p50"] == 1.0
    assert "ok" in Row("x", [2.0], 3.0, {"floor": 1.0}).render()
    assert "2 x floor" in Row("x", [2.0], 3.0, {"floor": 1.0}).render()
    assert "OVER" in Row("x", [4.0], 3.0).render()
    assert HEADING.split()[:2] == ["ms", "p50"]


def test_use_changes_gravity_and_nothing_that_is_searched(db):
    """After a reply its memories' clocks start again; the arrays of searching stand as they were."""
    space = make_space(8, username="using")
    sets = make_sets()
    held = space.load(sets)
    corpus, before = held.corpus, held.gravity.copy()
    with unlocked(space.access.space, space.access.key):
        touch(space.access.space, [held.nodes[0].id], now=NOW + timedelta(days=1))
    space.load(sets)
    assert held.corpus is corpus
    assert held.gravity[0] != before[0]
    assert np.array_equal(held.gravity[1:], before[1:])
    assert held.accessed_at[0] == (NOW + timedelta(days=1)).timestamp()


@pytest.mark.usefixtures("committed")
def test_every_line_of_the_table_is_measured():
    """On a small scale, with what each is compared to."""
    names = [row.render().split("  ")[0] for row in measure_speed(rounds=3, small=40, large=60)]
    assert len(names) == 22
    assert any("memories" in name for name in names)
