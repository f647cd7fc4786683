"""Gravity: halved in seven days, never below a tenth of salience."""

import numpy as np
import pytest

from memory.algorithms.decay import boost_gravity, decay_gravity


@pytest.mark.spec("G7")
def test_gravity_follows_the_table_where_the_floor_is_low(subtests):
    """The document's table holds for salience up to one half."""
    for days, expected in [(0, 1.0), (7, 0.5), (14, 0.25), (30, 0.0513)]:
        with subtests.test(days=days, expected=expected):
            assert decay_gravity(1.0, salience=0.5, age_days=days) == pytest.approx(expected, abs=5e-4)


@pytest.mark.spec("G7")
def test_the_floor_wins_at_full_salience():
    """At salience 1.0, thirty days leave 0.10, not 0.06."""
    assert decay_gravity(1.0, salience=1.0, age_days=30) == pytest.approx(0.10)
    assert decay_gravity(1.0, salience=1.0, age_days=10_000) == pytest.approx(0.10)


def test_reading_on_the_way_changes_nothing():
    """Decay over a week and then another is decay over two: it does not matter who looks when."""
    once = decay_gravity(0.9, salience=0.3, age_days=14)
    twice = decay_gravity(decay_gravity(0.9, salience=0.3, age_days=7), salience=0.3, age_days=7)
    assert once == pytest.approx(twice)


def test_a_clock_that_is_behind_does_not_raise_gravity():
    """An access that seems to lie in the future counts as now."""
    assert decay_gravity(0.4, salience=0.5, age_days=-3) == pytest.approx(0.4)


@pytest.mark.spec("G7")
def test_an_access_lifts_and_keeps_order():
    """An access raises gravity, never above 1, and the heavier memory stays the heavier."""
    before = np.linspace(0, 1, 11)
    after = boost_gravity(before)
    assert (after[:-1] > before[:-1]).all()
    assert after[-1] == 1.0
    assert (np.diff(after) > 0).all()
