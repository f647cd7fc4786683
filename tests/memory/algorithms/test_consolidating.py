"""Which of the statements taken together can stand for all."""

import pytest

from memory.algorithms.consolidating import drop_covered

pytestmark = [pytest.mark.spec("I2")]


def test_what_tells_least_for_its_length_goes_first():
    """It stops as soon as what is left is short enough."""
    kept = drop_covered([50, 50, 50], [90.0, 10.0, 60.0], most=100, is_covered=lambda rows: True)
    assert kept == [0, 2]


def test_what_nothing_covers_stays():
    """A statement goes only while the rest covers what goes, and one always stays."""
    assert drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: 0 in rows) == [0]
    assert drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: False) == [0, 1]
    assert len(drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: True)) == 1


def test_the_order_that_leaves_the_shortest_is_taken():
    """Where the first to go by information bars the others, another order is taken, unless information outweighs it."""
    sizes = [20, 200, 20, 20]

    def is_covered(rows):
        return {1, 2} <= set(rows) or set(rows) >= {0, 2, 3} or set(rows) == {0, 2}

    assert drop_covered(sizes, [1.0, 30.0, 30.0, 30.0], most=0, is_covered=is_covered) == [0, 2]
    assert drop_covered(sizes, [1.0, 900.0, 30.0, 30.0], most=0, is_covered=is_covered) == [1, 2]
