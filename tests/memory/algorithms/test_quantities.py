"""Numbers, times and dates as they are written in both languages."""

import pytest

from memory.algorithms.quantities import Quantity, When, read_quantities

pytestmark = pytest.mark.spec("G8")


def amounts(text):
    return [(quantity.dimension, quantity.amount) for quantity in read_quantities(text.casefold())[1]]


def test_an_amount_is_read_with_its_unit(subtests):
    """Words, digits, separators and units of both languages come to one number."""
    for text, amount in [
        ("two cats", ("plain", 2.0)),
        ("120k", ("plain", 120_000.0)),
        ("120 000 kr", ("sek", 120_000.0)),
        ("1,200 pounds", ("gbp", 1200.0)),
        ("£8", ("gbp", 8.0)),
        ("158 cm", ("length", 1.58)),
        ("1,58 m", ("length", 1.58)),
        ("4 km", ("length", 4000.0)),
        ("half past six", ("clock", 390.0)),
        ("halv sju", ("clock", 390.0)),
        ("kvart över åtta", ("clock", 495.0)),
        ("klockan 19.00", ("clock", 420.0)),
        ("at seven", ("clock", 420.0)),
        ("at 8:10", ("clock", 490.0)),
        ("fourth floor", ("floor", 4.0)),
        ("bottenvåningen", ("floor", 0.0)),
        ("twenty-four pupils", ("plain", 24.0)),
    ]:
        with subtests.test(text=text, amount=amount):
            assert amounts(text) == [pytest.approx(amount) if amount is None else amount]


def test_a_date_is_read_as_far_as_it_is_said(subtests):
    """Day first, months and weekdays of both languages; what is left out stays open."""
    for text, when in [
        ("on 3 june", When(month=6, day=3)),
        ("june 3rd", When(month=6, day=3)),
        ("den 8 april", When(month=4, day=8)),
        ("8/4", When(month=4, day=8)),
        ("2026-04-08", When(year=2026, month=4, day=8)),
        ("i mars", When(month=3)),
        ("på fredag", When(weekdays=frozenset({4}))),
        ("tisdagar och torsdagar", When(weekdays=frozenset({1, 3}))),
        ("i vår", When(season=0)),
        ("vår hund", When()),
        ("i may", When()),
    ]:
        with subtests.test(text=text, when=when):
            assert read_quantities(text)[2] == when


def test_what_is_no_date_is_none(subtests):
    """Impossible days are numbers."""
    for text in ["13/13", "0/0", "99 juni", "32/1"]:
        with subtests.test(case=text):
            assert read_quantities(text)[2].day is None


def test_money_may_go_without_its_currency():
    """A bare amount is any currency's, but never a length's."""
    assert Quantity("plain", 120.0).agrees(Quantity("sek", 120.0))
    assert not Quantity("plain", 120.0).agrees(Quantity("length", 120.0))
    assert not Quantity("gbp", 120.0).agrees(Quantity("sek", 120.0))
