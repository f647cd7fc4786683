"""Gravity is stored as of the last access: nothing writes a faded one down."""

from datetime import timedelta

import pytest

from companion_site.vault.scope import space_scope
from memory.algorithms.decay import boost_gravity, decay_gravity
from memory.models import MemoryNode
from memory.student.store import touch
from tests.factories import NOW, make_access
from tests.memory.student.kept import LATER, MORNING, Kept, busy_memory

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G7")]


@pytest.fixture
def ada(db) -> Kept:
    return Kept(make_access("ada"))


def test_an_access_alone_writes_gravity(ada):
    """It stores the boosted present value with its moment; nothing else that runs writes a faded value."""
    (node, other) = ada.say(MORNING[:2])
    touch(ada.space, [node], now=LATER)
    with space_scope(ada.space):
        rows = MemoryNode.objects.for_space(ada.space)
        touched, left = rows.get(pk=node), rows.get(pk=other)
    assert touched.gravity == pytest.approx(
        float(boost_gravity(decay_gravity(0.5, salience=0.5, age_days=30)))
    )
    assert (touched.accessed_at, left.accessed_at, left.gravity) == (LATER, NOW, 0.5)


def test_each_of_several_used_at_once_is_boosted_from_its_own_value(ada):
    """Two are used together, one of them also the day before: neither gets the other's number."""
    (first, second) = ada.say(MORNING[:2])
    touch(ada.space, [second], now=LATER - timedelta(days=1))
    touch(ada.space, [first, second], now=LATER)
    with space_scope(ada.space):
        stored = dict(MemoryNode.objects.for_space(ada.space).values_list("pk", "gravity"))
    once = boost_gravity(decay_gravity(0.5, salience=0.5, age_days=30))
    day_before = boost_gravity(decay_gravity(0.5, salience=0.5, age_days=29))
    again = boost_gravity(decay_gravity(day_before, salience=0.5, age_days=1))
    assert stored == {first: pytest.approx(float(once)), second: pytest.approx(float(again))}


def test_compression_writes_no_faded_value(ada):
    """Every pair of gravity and last access that is stored afterwards was stored before."""
    busy_memory(ada)
    stored = pairs(ada)
    ada.compress()
    for change in ada.changes("merged") + ada.changes("pruned"):
        ada.restore(change)
    assert pairs(ada) <= stored


def pairs(ada: Kept) -> set:
    with space_scope(ada.space):
        return set(MemoryNode.objects.for_space(ada.space).values_list("gravity", "accessed_at"))
