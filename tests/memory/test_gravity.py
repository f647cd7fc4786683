"""Gravity has one definition: Python and SQL give the same number, and nothing writes a faded one down."""

from datetime import timedelta

import numpy as np
import pytest

from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.algorithms.decay import DecayParams, boost_gravity, decay_gravity
from memory.gravity import present_gravity
from memory.models import MemoryNode
from memory.student import services
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.memory.student.kept import LATER, MORNING, Kept, busy_memory

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G7")]

COUNT = 500


@pytest.fixture
def ada(db) -> Kept:
    return Kept(make_access("ada"))


def random_nodes(ada: Kept, rng: np.random.Generator) -> None:
    """Store nodes of any gravity, salience and age, some of them accessed in the future, some never fading."""
    ages_s = np.concatenate([rng.exponential(8e5, COUNT - 100), rng.uniform(-1e6, 1e9, 90), np.zeros(10)])
    rows = [
        MemoryNode(
            space_id=ada.space, content="x", content_hash=new_id().bytes * 2, modality="semantic", trust="person",
            language="en", salience=salience, gravity=gravity, confidence=0.9, formed_at=NOW, version=1,
            accessed_at=LATER - timedelta(microseconds=round(age * 1e6)),
        )
        for salience, gravity, age in zip(rng.random(COUNT), rng.random(COUNT), ages_s, strict=True)
    ]  # fmt: skip
    rows[0].gravity = rows[1].salience = 0.0
    rows[2].gravity = rows[3].salience = 1.0
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        MemoryNode.objects.bulk_create(rows)


@cases("params", [DecayParams(), DecayParams(half_life_days=0.3, floor_share=0.02)])
def test_python_and_sql_give_the_same_number(ada, params):
    """On random input, to 1e-9, with the settled numbers and with others."""
    random_nodes(ada, np.random.default_rng(7))
    with space_scope(ada.space):
        rows = list(
            MemoryNode.objects.for_space(ada.space).annotate(at=present_gravity(now=LATER, params=params))
        )
    assert len(rows) == COUNT
    expected = decay_gravity(
        [row.gravity for row in rows],
        salience=[row.salience for row in rows],
        age_days=[(LATER - row.accessed_at).total_seconds() / 86_400 for row in rows],
        params=params,
    )
    assert [row.at for row in rows] == pytest.approx(expected.tolist(), abs=1e-9)
    assert expected.min() < 0.1 < expected.max()


def test_rows_can_be_chosen_and_sorted_by_it(ada):
    """In the database, without loading them, and without changing anything that is stored."""
    random_nodes(ada, np.random.default_rng(8))
    before = ada.look(versions=True)
    with space_scope(ada.space):
        rows = MemoryNode.objects.for_space(ada.space).with_gravity(LATER)
        faint = rows.filter(present_gravity__lt=0.382).order_by("-present_gravity")
        found = list(faint.values_list("present_gravity", flat=True))
    assert found == sorted(found, reverse=True)
    assert 0 < len(found) < COUNT
    assert max(found) < 0.382
    assert ada.look(versions=True) == before


def test_an_access_alone_writes_gravity(ada):
    """It stores the boosted present value with its moment; nothing else that runs writes a faded value."""
    (node, other) = ada.say(MORNING[:2])
    services.touch(ada.space, [node], now=LATER)
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
    services.touch(ada.space, [second], now=LATER - timedelta(days=1))
    services.touch(ada.space, [first, second], now=LATER)
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
