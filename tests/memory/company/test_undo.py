"""Whatever the companion replaced by itself comes back in one click, and what stood before stands again."""

from datetime import timedelta

import pytest

from companion_site.vault.scope import space_scope
from memory.company.errors import Settled
from memory.company.reconcile.undo import review, undo
from memory.models import CompanyEvent, CompanyFact
from tests.cases import cases
from tests.factories import NOW
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12")]

DAY = timedelta(days=1)
LATER = NOW + 3 * DAY
AFTER = LATER + DAY
TWO, THREE, FOUR = (f"Hyran är 1{count} 000 kr i månaden" for count in (2, 3, 4))
ITEM, DONE = "Har inte bestämt om utdelning", "Bestämde en utdelning på 100 000 kr"
PARTS = (TWO, "Timpriset är 900 kr", "Räkenskapsåret är kalenderår")


@pytest.fixture
def take_back(company):
    """Undo, as the person of the company does."""
    return lambda fact, at=AFTER: undo(company.space, fact, actor=company.person, now=at)


def words(rows):
    return sorted(row.content for row in rows)


def test_a_contradiction_is_undone(company, take_back):
    """The old words are believed in a new row that says what it brings back; the new ones gave way by hand."""
    old = company.hear(TWO, confidence=0.7)
    new = company.hear(THREE, at=LATER)
    (back,) = take_back(old)
    assert [row.pk for row in company.active()] == [back.pk]
    assert (back.content, back.origin, back.restores_id, back.confidence) == (TWO, "restored", old, 0.7)
    assert (back.said_at, back.expires_at) == (NOW, AFTER + timedelta(days=182))
    gone = company.row(new)
    assert (gone.superseded_by_id, gone.superseded_reason) == (back.pk, "undone")
    assert gone.superseded_actor_id == company.person.pk
    assert company.row(old).superseded_by_id == new


@cases("again", [TWO, "Hyran är 12000 kronor per månad"])
def test_a_restatement_is_undone(company, take_back, again):
    """Also where both rows have the very same words: at no moment are there two."""
    old = company.hear(TWO, confidence=0.5)
    company.hear(again, at=LATER, confidence=0.9)
    (back,) = take_back(old)
    assert [row.pk for row in company.active()] == [back.pk]
    assert (back.content, back.confidence) == (TWO, 0.5)


def test_an_open_item_is_as_it_was(company, take_back):
    """Settled, it is open again beside what settled it, for that stays true; renewed once it had expired, it has expired again."""
    item = company.hear(ITEM, category="unresolved")
    done = company.hear(DONE, category="decision", at=LATER)
    (back,) = take_back(item)
    assert {row.pk for row in company.active()} == {done, back.pk}
    assert back.expires_at == AFTER + timedelta(days=30)
    old = company.hear("Överväger att byta bank", category="unresolved")
    at = NOW + 40 * DAY
    new = company.hear("Överväger att byta bank", category="unresolved", at=at)
    (back,) = take_back(old, at + DAY)
    assert [row.pk for row in company.active(at + DAY)] == [done]
    assert company.row(new).superseded_by_id == back.pk


@pytest.mark.spec("C9")
@cases("which", range(3))
def test_a_summary_is_undone_as_a_whole(company, take_back, which):
    """Whichever part it is asked for at, all of them stand again by themselves, that one first."""
    summary, parts = company.summarise(PARTS)
    rows = take_back(parts[which])
    assert rows[0].content == PARTS[which]
    assert words(company.active()) == sorted(PARTS)
    assert company.row(summary).superseded_by_id == rows[0].pk


@pytest.mark.spec("C9")
def test_a_summary_that_was_contradicted_comes_back_as_its_parts(company, take_back):
    """The parts that stand by themselves already are not doubled."""
    summary, _ = company.summarise(PARTS)
    company.hear(THREE, at=LATER)
    take_back(summary)
    assert words(company.active()) == sorted(PARTS)


@pytest.mark.spec("C9")
def test_a_summary_of_summaries_comes_back_as_what_was_said(company, take_back):
    """All the way down."""
    first, _ = company.summarise(PARTS)
    company.put_in_one([first, company.hear("Vi valde K2 för årsredovisningen", at=LATER)], at=LATER)
    take_back(first)
    assert words(company.active()) == sorted([*PARTS, "Vi valde K2 för årsredovisningen"])


def test_all_that_one_change_replaced_comes_back(company, take_back):
    """Undoing half of it would lose the other half."""
    company.hear(TWO)
    fact = company.hear(THREE, at=LATER)
    other = company.hear("Timpriset är 900 kr")
    with space_scope(company.space):
        # A second row that gave way to the same fact in the same change.
        CompanyFact.objects.for_space(company.space).filter(pk=other).update(
            superseded_by=fact, superseded_at=LATER, superseded_reason="contradicted"
        )
    take_back(other)
    assert words(company.active()) == sorted([TWO, "Timpriset är 900 kr"])


def test_what_somebody_undid_is_not_undone_by_a_click(company, take_back):
    """A person's word stands until somebody says otherwise."""
    old = company.hear(TWO)
    new = company.hear(THREE, at=LATER)
    take_back(old)
    with refused(Settled, "undone-by-hand"):
        take_back(new)


def test_an_earlier_change_waits_for_the_later_one(company, take_back):
    """The message says to undo the later one first; then it works."""
    two = company.hear(TWO)
    three = company.hear(THREE, at=LATER)
    company.hear(FOUR, at=LATER + timedelta(hours=1))
    with refused(Settled, "superseded-since"):
        take_back(two)
    take_back(three)
    assert words(company.active()) == [THREE]
    take_back(two)
    assert words(company.active()) == [TWO]


def test_words_that_are_believed_again_are_not_brought_back(company, take_back):
    """An item that was settled and came up again in the same words is there already."""
    item = company.hear(ITEM, category="unresolved")
    company.hear(DONE, category="decision", at=LATER)
    with space_scope(company.space):
        again = CompanyFact.objects.for_space(company.space).get(pk=item)
        CompanyFact.objects.create(
            space_id=company.space, category=again.category, content=again.content, fingerprint=again.fingerprint,
            language="sv", confidence=0.9, created_at=LATER, confirmed_at=LATER, said_at=LATER,
        )  # fmt: skip
    with refused(Settled, "held-again"):
        take_back(item)


def test_what_was_brought_back_outlives_what_was_said_before_that(company, take_back):
    """A message of before the undoing, read after it, does not take the person's decision back."""
    old = company.hear(TWO)
    company.hear(THREE, at=LATER)
    (back,) = take_back(old)
    company.believe([company.new(THREE, said_at=LATER + timedelta(hours=1))], at=AFTER + DAY)
    assert [row.pk for row in company.active()] == [back.pk]
    company.hear(THREE, at=AFTER + 2 * DAY)
    assert words(company.active()) == [THREE]


@pytest.mark.spec("C6")
class TestReview:
    """What took the place of something it contradicts waits for a person's word."""

    @pytest.fixture
    def flagged(self, company):
        company.hear(TWO)
        return company.hear(THREE, at=LATER)

    def test_not_keeping_it_brings_the_old_one_back(self, company, flagged):
        """In the same click, and that is noted as the review."""
        (back,) = review(company.space, flagged, actor=company.person, keep=False, now=AFTER)
        assert [row.pk for row in company.active()] == [back.pk]
        assert company.row(flagged).reviewed_by_id == company.person.pk
        with space_scope(company.space):
            events = CompanyEvent.objects.for_space(company.space).filter(fact=flagged, kind="reviewed")
            assert [event.reason for event in events] == ["undone"]

    def test_what_is_not_flagged_is_not_reviewed(self, company, flagged):
        """Once decided, or never flagged, there is nothing to decide."""
        review(company.space, flagged, actor=company.person, keep=True, now=AFTER)
        for keep in (True, False):
            with refused(Settled, "nothing-to-review"):
                review(company.space, flagged, actor=company.person, keep=keep, now=AFTER)
