"""A fact that is used or said again is believed more surely and longer; one that is not, fades where it is read."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.vault.models import Space
from memory.company.facts import boosted_confidence, expiry_of, present_confidence, renewed_expiry
from memory.company.params import COMPANY
from memory.company.store import confirm
from tests.cases import cases
from tests.factories import NOW

pytestmark = pytest.mark.spec("C8")

DAY = timedelta(days=1)
FADING, LASTING = ("knowledge", "unresolved"), ("preference", "decision")
shares = st.floats(0, 1)
days = st.integers(0, 4000).map(lambda count: count * DAY)


@cases("category", FADING)
def test_half_is_left_when_the_time_is_over(category):
    """A fact's confidence has halved after the time to live of its category, and halved again after another."""
    ttl = COMPANY.ttl_of(category)
    assert present_confidence(0.8, NOW, NOW + ttl, category) == pytest.approx(0.4)
    assert present_confidence(0.8, NOW, NOW + 2 * ttl, category) == pytest.approx(0.2)


@given(shares, days, days)
def test_fading_goes_one_way_and_does_not_depend_on_when_it_is_read(confidence, first, second):
    """Faded twice in a row is faded once over both times; never more than before, never below nothing. Decisions and preferences hold
    until somebody says otherwise, and a confirmation of later than now, where a clock is behind, counts as one of now."""
    between = present_confidence(confidence, NOW, NOW + first, "knowledge")
    after = present_confidence(between, NOW + first, NOW + first + second, "knowledge")
    assert after == pytest.approx(present_confidence(confidence, NOW, NOW + first + second, "knowledge"))
    assert 0 <= after <= between <= confidence
    assert all(present_confidence(confidence, NOW, NOW + first, lasting) == confidence for lasting in LASTING)
    assert present_confidence(confidence, NOW + first, NOW, "knowledge") == confidence


@given(shares)
def test_a_confirmation_adds_a_share_of_what_is_missing(confidence):
    """Never past certainty, never less than before."""
    boosted = boosted_confidence(confidence)
    assert confidence <= boosted <= 1
    assert 1 - boosted == pytest.approx(0.7 * (1 - confidence))


@given(days, days)
def test_a_confirmation_never_shortens_a_facts_time(said, confirmed):
    """Also where the clock was set back; and what never expires never does."""
    for category in FADING:
        first = expiry_of(category, since=NOW + said)
        assert renewed_expiry(first, category, since=NOW + confirmed) >= first
    for category in LASTING:
        assert renewed_expiry(expiry_of(category, since=NOW), category, since=NOW + said) is None


@pytest.mark.django_db
class TestUse:
    def test_what_was_used_is_surer_and_holds_longer(self, company):
        """From what it was by then, not from what it once was; and nothing else changes."""
        used = company.hear("Hyran är 12 000 kr i månaden", confidence=0.8)
        other = company.hear("Timpriset är 900 kr", confidence=0.8)
        at = NOW + 91 * DAY
        assert confirm(company.space, [used], now=at) == [used]
        row = company.row(used)
        assert row.confidence == pytest.approx(boosted_confidence(0.8 * 0.5**0.5))
        assert (row.confirmed_at, row.confirmations, row.expires_at) == (at, 1, at + timedelta(days=182))
        assert company.row(other).confirmations == 0
        assert company.kinds_of(row) == ["believed", "confirmed"]
        assert Space.objects.get(pk=company.space).version == 3

    def test_using_it_all_day_confirms_it_once(self, company):
        """Otherwise what is once believed would grow certain by being repeated to oneself."""
        fact = company.hear("Hyran är 12 000 kr i månaden", confidence=0.5)
        for hour in range(1, 20):
            confirm(company.space, [fact], now=NOW + timedelta(hours=hour))
        assert company.row(fact).confirmations == 1
        confirm(company.space, [fact], now=NOW + timedelta(hours=26))
        assert company.row(fact).confirmations == 2

    def test_what_is_not_believed_is_not_confirmed(self, company):
        """Neither what was superseded nor what has expired comes back by being used."""
        old = company.hear("Hyran är 12 000 kr i månaden")
        company.hear("Hyran är 13 000 kr i månaden", at=NOW + DAY)
        item = company.hear("Överväger att byta bank", category="unresolved")
        assert confirm(company.space, [old, item], now=NOW + 31 * DAY) == []
        assert company.row(item).confirmations == company.row(old).confirmations == 0
