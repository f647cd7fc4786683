"""Decisions of more than a year ago become the summary of their calendar year."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.company.params import COMPANY
from tests.memory.company.firm import DIVIDENDS, STAFF, Firm, different, unrelated

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C8")]

LAST_YEAR = datetime(2025, 2, 3, 9, tzinfo=UTC)
NEXT = datetime(2026, 2, 20, 9, tzinfo=UTC)


def annual(firm: Firm, *, now: datetime = NEXT) -> list[str]:
    return [fact.content for fact in firm.active(now=now) if fact.origin == "annual"]


def test_old_decisions_go_into_the_summary_of_their_year(firm):
    """One summary for each calendar year, with every decision in its words; what is younger stays."""
    old = firm.hold(DIVIDENDS[0], STAFF[0], at=LAST_YEAR)
    older = firm.hold(DIVIDENDS[1], at=LAST_YEAR - timedelta(days=300))
    young = firm.hold(DIVIDENDS[2], at=NEXT - timedelta(days=364))
    done = firm.force(now=NEXT)
    assert (done.before, done.after, done.summaries) == (4, 3, 2)
    assert annual(firm) == [f"2024: {DIVIDENDS[1]}", f"2025: {DIVIDENDS[0]}; {STAFF[0]}"]
    for fact in (*old, *older):
        row = firm.get(fact)
        assert (row.superseded_reason, row.superseded_at) == ("annual", NEXT)
    assert firm.get(young[0]).superseded_by_id is None


def test_the_year_is_the_site_s(firm):
    """A decision of New Year's night belongs to the year that it was where the site is."""
    firm.hold(DIVIDENDS[0], at=datetime(2024, 12, 31, 23, 30, tzinfo=UTC))
    firm.force(now=NEXT)
    assert annual(firm) == [f"2025: {DIVIDENDS[0]}"]


def test_a_year_s_summary_takes_in_more(firm):
    """Later decisions of the year are added to what is there; running again adds nothing."""
    firm.hold(DIVIDENDS[0], at=LAST_YEAR)
    firm.hold(DIVIDENDS[1], at=LAST_YEAR + timedelta(days=20))
    firm.force(now=NEXT)
    assert annual(firm) == [f"2025: {DIVIDENDS[0]}"]
    later = NEXT + timedelta(days=20)
    firm.force(now=later)
    assert annual(firm, now=later) == [f"2025: {DIVIDENDS[0]}; {DIVIDENDS[1]}"]
    before = firm.look()
    assert firm.force(now=later + timedelta(days=1)).summaries == 0
    assert firm.look() == before


def test_a_full_summary_has_a_second_part(firm):
    """No summary is longer than a summary may be, and none loses a decision."""
    texts = [
        f"Bought machine number {number} for {10_000 + number} kr, {'with care, ' * 8}"
        for number in range(20)
    ]
    facts = firm.hold(*texts, at=LAST_YEAR, vectors=different(20))
    firm.force(now=NEXT)
    parts = annual(firm)
    assert 1 < len(parts) < 5
    assert all(part.startswith("2025: ") and len(part) <= 3 * COMPANY.most_chars for part in parts)
    for fact in facts:
        assert fact.content.rstrip(" .;") in firm.successor(fact).content


def test_a_doubtful_decision_makes_no_other_doubtful(firm):
    """What is told with a doubt has a summary of its own; other categories have none, however old they are."""
    firm.hold("Prefers short answers", category="preference", at=LAST_YEAR - timedelta(days=400))
    firm.hold(DIVIDENDS[0], at=LAST_YEAR)
    firm.hold(DIVIDENDS[1], at=LAST_YEAR, confidence=0.5)
    firm.force(now=NEXT)
    assert sorted(annual(firm)) == [f"2025: {DIVIDENDS[0]}", f"2025: {DIVIDENDS[1]}"]
    told = [fact.confidence for fact in firm.active(now=NEXT) if fact.origin == "annual"]
    assert sorted(told) == [0.5, 0.9]


def test_a_summary_of_decisions_goes_as_a_whole(firm):
    """A summary goes once the oldest decision in it is a year old, and then stands in its year's word for word."""
    facts = firm.hold(*DIVIDENDS[:2], at=LAST_YEAR)
    facts += firm.hold(DIVIDENDS[2], at=LAST_YEAR + timedelta(days=90))
    firm.hold(*unrelated(16), category="preference", vectors=different(16), at=LAST_YEAR)
    firm.force(now=LAST_YEAR + timedelta(days=100))
    assert len({firm.successor(fact).pk for fact in facts}) == 1
    firm.force(now=LAST_YEAR + timedelta(days=364))
    assert annual(firm) == []
    firm.force(now=LAST_YEAR + timedelta(days=365))
    assert annual(firm) == [f"2025: {'; '.join(DIVIDENDS)}"]


def test_the_end_of_a_year_is_a_reason(firm):
    """In a new year what has become history is folded at once, not at the next month's end."""
    firm.hold(DIVIDENDS[0], at=datetime(2025, 1, 4, 9, tzinfo=UTC))
    assert firm.force(now=datetime(2025, 12, 20, 9, tzinfo=UTC)).summaries == 0
    assert firm.compress(now=datetime(2026, 1, 3, 9, tzinfo=UTC)) is None
    done = firm.compress(now=datetime(2026, 1, 5, 9, tzinfo=UTC))
    assert (done.trigger, done.summaries) == ("annual", 1)
    assert firm.compress(now=datetime(2026, 1, 6, 9, tzinfo=UTC)) is None
