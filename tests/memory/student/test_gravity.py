"""Gravity is stored as of the last access: nothing writes a faded one down."""

from datetime import timedelta

import pytest

from memory.algorithms.decay import boost_gravity, decay_gravity
from memory.student.store import touch
from tests.factories import NOW
from tests.memory.student.kept import LATER, MORNING, Kept, busy_memory

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G7")]


def test_an_access_alone_writes_gravity(kept):
    """It stores the boosted present value with its moment; nothing else that runs writes a faded value."""
    (node, other) = kept.say(MORNING[:2])
    touch(kept.space, [node], now=LATER)
    touched, left = kept.nodes()[node], kept.nodes()[other]
    assert touched.gravity == pytest.approx(
        float(boost_gravity(decay_gravity(0.5, salience=0.5, age_days=30)))
    )
    assert (touched.accessed_at, left.accessed_at, left.gravity) == (LATER, NOW, 0.5)


def test_each_of_several_used_at_once_is_boosted_from_its_own_value(kept):
    """Two are used together, one of them also the day before: neither gets the other's number."""
    (first, second) = kept.say(MORNING[:2])
    touch(kept.space, [second], now=LATER - timedelta(days=1))
    touch(kept.space, [first, second], now=LATER)
    stored = {pk: row.gravity for pk, row in kept.nodes().items()}
    once = boost_gravity(decay_gravity(0.5, salience=0.5, age_days=30))
    day_before = boost_gravity(decay_gravity(0.5, salience=0.5, age_days=29))
    again = boost_gravity(decay_gravity(day_before, salience=0.5, age_days=1))
    assert stored == {first: pytest.approx(float(once)), second: pytest.approx(float(again))}


def test_compression_writes_no_faded_value(kept):
    """Every pair of gravity and last access that is stored afterwards was stored before."""
    busy_memory(kept)
    stored = pairs(kept)
    kept.compress()
    for change in kept.changes("merged") + kept.changes("pruned"):
        kept.restore(change)
    assert pairs(kept) <= stored


def pairs(kept: Kept) -> set:
    return {(row.gravity, row.accessed_at) for row in kept.nodes().values()}
