"""Jobs read conversations in any order: what was said, said again or kept by hand later wins over what comes in late."""

from datetime import timedelta
from functools import partial
from itertools import permutations

import pytest

from companion_site.vault.scope import space_scope
from memory.company.errors import Settled
from memory.company.reconcile.engine import discern
from memory.company.reconcile.undo import review, undo
from memory.models import CompanyFact
from tests.cases import cases
from tests.factories import NOW
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C6")]

DAY = timedelta(days=1)
LATER = NOW + 9 * DAY
TWO, THREE, FOUR = (f"Hyran är 1{count} 000 kr i månaden" for count in (2, 3, 4))
CHEAPER, DEARER = "Timpriset är 900 kr", "Timpriset är 950 kr"
PARTS = (TWO, CHEAPER, "Räkenskapsåret är kalenderår")
OVERLAPPING = ("We have not decided on the dividend", "Vi har inte bestämt utdelningen")


def words(company, at=LATER):
    return {row.content for row in company.active(at)}


@cases("order", list(permutations(range(3))))
def test_what_was_said_again_counts_from_then(company, order):
    """Two, then three, then two again: whichever is read first, two is believed, also where that only confirmed."""
    said = [
        company.new(TWO, said_at=NOW, confidence=0.9),
        company.new(THREE, said_at=NOW + DAY),
        company.new(TWO, said_at=NOW + 2 * DAY, confidence=0.5),
    ]
    for place, which in enumerate(order):
        company.believe([said[which]], at=LATER + place * DAY)
    assert words(company, LATER + 3 * DAY) == {TWO}


def test_what_is_said_twice_at_once_is_believed_as_it_was_surest(company):
    """Read together, the second and surer one takes the place of the first."""
    unsure, sure = (
        company.new(TWO, said_at=NOW + at, confidence=c) for at, c in ((0 * DAY, 0.5), (DAY, 0.9))
    )
    outcome = company.believe([unsure, sure], at=LATER)
    (row,) = company.active(LATER)
    assert (outcome.believed, outcome.restated, row.confidence) == (2, 1, 0.9)


def test_a_part_said_again_counts_from_then(company):
    """In a summary the part alone: what was said meanwhile about another part is still the later word."""
    summary, _ = company.summarise(PARTS)
    company.believe([company.new(TWO, said_at=NOW + 2 * DAY, confidence=0.5)], at=LATER)
    assert company.row(summary).confirmations == 1
    assert company.believe([company.new(THREE, said_at=NOW + DAY)], at=LATER).outdated == 1
    assert company.believe([company.new(DEARER, said_at=NOW + DAY)], at=LATER).contradicted == 1
    assert words(company) == {TWO, DEARER, PARTS[2]}


def test_a_part_that_stands_by_itself_again_is_as_old_as_it_was(company):
    """Nobody vouched for it when its summary gave way, so what was said after it replaces it, read late or not."""
    company.summarise(PARTS)
    company.hear(THREE, at=LATER)
    assert company.believe([company.new(DEARER, said_at=NOW + DAY)], at=LATER).contradicted == 1
    assert words(company) == {THREE, DEARER, PARTS[2]}


def test_what_is_kept_while_a_job_thinks_outlasts_what_was_said_before(company):
    """A person's word of today is not overruled by a message of yesterday that was compared before they spoke."""
    company.hear(TWO)
    kept = company.hear(THREE, at=NOW + DAY)

    def discern_slowly(*given, **options):
        found = discern(*given, **options)
        if company.row(kept).reviewed_at is None:
            review(company.space, kept, actor=company.person, keep=True, now=LATER)
        return found

    outcome = company.believe([company.new(FOUR, said_at=LATER - DAY)], at=LATER, discern=discern_slowly)
    assert (outcome.outdated, words(company)) == (1, {THREE})


def test_what_a_summary_said_is_renewed_in_its_own_words(company):
    """Once it has expired, its own words are worth as much as those of its parts."""
    summary, _ = company.summarise(PARTS)
    at = NOW + timedelta(days=200)
    text = company.row(summary).content
    assert company.believe([company.new(text, said_at=at)], at=at).renewed == 1
    assert words(company, at) == {text}
    assert company.row(summary).superseded_reason == "renewed"


@cases("confidence", [0.5, 1.0])
def test_words_that_expired_give_way_where_the_same_is_believed_otherwise(company, confidence):
    """Surer or not: what says it stands once, and the expired row in the very words has its successor."""
    expired, other = OVERLAPPING
    old = company.hear(expired, category="unresolved")
    at = NOW + 40 * DAY
    company.believe(
        [company.new(other, category="unresolved", said_at=at)], at=at, discern=lambda *_, **__: [[]]
    )
    said = company.new(expired, category="unresolved", said_at=at + DAY, confidence=confidence)
    outcome = company.believe([said], at=at + DAY)
    (row,) = company.active(at + DAY)
    assert outcome.renewed == 1
    assert (company.row(old).superseded_by_id, company.row(old).superseded_reason) == (row.pk, "renewed")


@pytest.mark.spec("C9")
def test_what_comes_in_late_is_never_part_of_a_summary(company):
    """What stood in a summary that was replaced since, said again late: contradicted, not taken into anything."""
    summary, _ = company.summarise(PARTS, at=NOW)
    three = company.hear(THREE, at=NOW + DAY)
    late = company.new(TWO, said_at=NOW - DAY)
    (row,) = company.believe([late], at=NOW + timedelta(days=300)).rows
    assert company.row(summary).superseded_by_id == company.row(row).superseded_by_id == three
    assert company.row(row).superseded_reason == "contradicted"


@pytest.fixture
def overtaken(company):
    """Return what replaced two by three and then met a four that had been said before it."""
    company.hear(TWO)
    three = company.hear(THREE, at=NOW + 3 * DAY)
    assert company.believe([company.new(FOUR, said_at=NOW + DAY)], at=NOW + 5 * DAY).outdated == 1
    return three


@pytest.mark.spec("C12")
@cases("decide", [partial(review, keep=False), undo])
def test_what_stood_comes_back_and_not_what_came_in_late(company, overtaken, decide):
    """By a review and by the button at the one that took its place; where nothing stood before, there is nothing to undo."""
    decide(company.space, overtaken, actor=company.person, now=LATER)
    assert words(company) == {TWO}
    quarterly = company.hear(CHEAPER, at=NOW + 3 * DAY)
    company.believe([company.new(DEARER, said_at=NOW + DAY)], at=NOW + 5 * DAY)
    with refused(Settled, "fact-unchanged"):
        undo(company.space, quarterly, actor=company.person, now=LATER)


@pytest.mark.spec("C12")
def test_words_that_came_in_late_can_be_brought_back_by_name(company, overtaken):
    """Asked for at the late fact itself, a person's click lets it stand."""
    with space_scope(company.space):
        late = CompanyFact.objects.for_space(company.space).get(content=FOUR)
    undo(company.space, late.pk, actor=company.person, now=LATER)
    assert words(company) == {FOUR}
