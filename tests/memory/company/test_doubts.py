"""A fact that something said later probably takes the place of: believed meanwhile, marked, and settled by a person."""

from datetime import timedelta
from itertools import permutations

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.company import store
from memory.company.audit.chains import chain_around
from memory.company.audit.facts import show_asked
from memory.company.audit.filters import FactFilter, State
from memory.company.errors import Settled
from memory.company.facts import fingerprint
from memory.company.reconcile.undo import can_be_undone, settle_doubt, undo
from memory.models import CompanyFact
from tests.factories import NOW
from tests.memory.company.conftest import Company, fail_at
from tests.refusals import refused

pytestmark = pytest.mark.spec("C12")

DAY = timedelta(days=1)
LATER, AFTER = NOW + 3 * DAY, NOW + 9 * DAY
ANNA, TOM = "Revisor: Anna Wik", "Revisor: Tom Berg"
LENA = "Revisor: Lena Holm"
OTHER = "Timpriset är 900 kr"


def doubt(company):
    """Hear one thing and then what probably takes its place; return both rows."""
    return company.hear(ANNA), company.hear(TOM, at=LATER)


def settle(company, fact, *, holds, at=AFTER):
    return settle_doubt(company.space, fact, actor=company.person, holds=holds, now=at)


def in_doubt(company):
    """Return the words of what is in doubt, with the row that puts it there."""
    with space_scope(company.space):
        found = CompanyFact.objects.for_space(company.space).filter(doubted_by__isnull=False)
        return {row.content: row.doubted_by_id for row in found}


def actions(company):
    return list(
        AuditEvent.objects.filter(chain=company.space, action__in=["company.fact_doubted", "company.fact_cleared"])
        .order_by("id")
        .values_list("action", flat=True)
    )  # fmt: skip


def test_what_probably_takes_a_facts_place_puts_it_in_doubt(company):
    """Both are believed; the older says since when and by what, on its row, in its events and in the record."""
    old, new = doubt(company)
    company.hear(OTHER, at=LATER)
    assert [row.pk for row in company.active(LATER)][:2] == [old, new]
    row = company.row(old)
    assert (row.doubted_by_id, row.doubted_since, row.flagged_at) == (new, LATER, None)
    assert in_doubt(company) == {ANNA: new}
    assert company.kinds_of(row) == ["believed", "doubted"]
    assert actions(company) == ["company.fact_doubted"]


def test_the_order_in_which_things_are_read_does_not_matter(company, subtests):
    """What was said first is in doubt by what was said next, and the last by nothing, whichever was read first."""
    said = {ANNA: NOW, TOM: LATER, LENA: AFTER}
    for number, order in enumerate(permutations(said)):
        with subtests.test(order=order):
            firm = Company(f"bo{number}")
            for text in order:
                firm.believe([firm.new(text, said_at=said[text])], at=AFTER + DAY)
            with space_scope(firm.space):
                facts = CompanyFact.objects.for_space(firm.space)
                following, newest = (facts.get(fingerprint=fingerprint(text)) for text in (TOM, LENA))
            assert newest.doubted_by_id is None
            assert in_doubt(firm)[ANNA] == following.pk


def test_who_says_both_at_once_means_both_and_what_is_read_twice_doubts_once(company):
    """Nothing in one message puts another part of it in doubt; read again, nothing is added."""
    company.believe([company.new(ANNA), company.new(TOM)])
    assert in_doubt(company) == {}
    firm = Company("eve")
    firm.hear(ANNA)
    later = firm.new(TOM, said_at=LATER)
    for _ in range(2):
        firm.believe([later], at=LATER)
    assert actions(firm) == ["company.fact_doubted"]


def test_what_is_said_again_is_in_doubt_no_more(company):
    """And the other one is by it then: the last word leads."""
    old, new = doubt(company)
    company.believe([company.new(ANNA, said_at=AFTER, confidence=0.5)], at=AFTER)
    assert company.row(old).doubted_by_id is None
    assert in_doubt(company) == {TOM: old}
    assert actions(company)[:2] == ["company.fact_doubted", "company.fact_cleared"]
    assert company.kinds_of(company.row(old)) == ["believed", "doubted", "confirmed", "cleared"]
    assert company.row(new).doubted_since == AFTER


def test_a_surer_wording_passes_the_doubt_on(company):
    """The row that takes the newer one's place puts the older in doubt, and one said before the doubt stays in it."""
    old, new = doubt(company)
    (newer,) = company.believe([company.new(TOM + "!", said_at=AFTER, confidence=0.99)], at=AFTER).rows
    assert company.row(new).superseded_reason == "restated"
    assert company.row(old).doubted_by_id == newer
    between = company.new(ANNA + "!", said_at=NOW + DAY, confidence=0.99)
    (again,) = company.believe([between], at=AFTER).rows
    assert company.row(again).doubted_by_id == newer


def test_a_person_says_that_it_holds(company):
    """It is in doubt no more, with who said so, and what was said before does not put it there again."""
    old, _ = doubt(company)
    settle(company, old, holds=True)
    assert in_doubt(company) == {} and len(company.active(AFTER)) == 2
    company.hear(LENA, at=AFTER - DAY)
    assert ANNA not in in_doubt(company)
    for _ in range(2):
        with refused(Settled, "not-in-doubt"):
            settle(company, old, holds=False)


def test_a_person_says_that_it_is_out_of_date_and_takes_that_back(company):
    """It gives way to what was said later; undone, both stand and nothing is in doubt; undone twice, nothing happens."""
    old, new = doubt(company)
    settle(company, old, holds=False)
    row = company.row(old)
    assert (row.superseded_by_id, row.superseded_reason) == (new, "outdated")
    assert row.superseded_actor_id == company.person.pk
    assert [row.pk for row in company.active(AFTER)] == [new]
    assert can_be_undone(company.space, [old]) == {old}
    (back,) = undo(company.space, old, actor=company.person, now=AFTER + DAY)
    assert {row.pk for row in company.active(AFTER + DAY)} == {new, back.pk} and back.doubted_by_id is None
    with refused(Settled, "already-undone"):
        undo(company.space, old, actor=company.person, now=AFTER + DAY)
    assert company.believed_at(AFTER) == {new}


def test_a_fact_in_doubt_that_is_corrected_gives_way_as_any_other(company):
    """What contradicts it takes its place; undone by hand, it is vouched for and in doubt no more; undone twice, nothing happens."""
    two, three = "Hyran är 12 000 kr i månaden", "Hyran är 13 000 kr i månaden"
    old, other = company.hear(two), company.hear(ANNA, at=NOW + DAY)
    with space_scope(company.space):
        store.put_in_doubt(company.row(old), by=company.row(other), since=NOW + DAY, at=NOW + DAY)
    new = company.hear(three, at=LATER)
    assert (company.row(old).superseded_by_id, company.row(old).superseded_reason) == (new, "contradicted")
    assert not chain_around(company.space, old, at=LATER).fact.is_doubted
    (back,) = undo(company.space, old, actor=company.person, now=AFTER)
    assert back.doubted_by_id is None and {row.pk for row in company.active(AFTER)} == {other, back.pk}
    with refused(Settled, "already-undone"):
        undo(company.space, old, actor=company.person, now=AFTER)
    with refused(Settled, "not-in-doubt"):
        settle(company, old, holds=True)


def test_undoing_what_put_it_in_doubt_ends_the_doubt(company):
    """Taken back by hand, it speaks against nothing; the doubt's end is on record with who caused it."""
    two, three = "Hyran är 12 000 kr i månaden", "Hyran är 13 000 kr i månaden"
    company.hear(two)
    old, new = company.hear(ANNA), company.hear(three, at=LATER)
    with space_scope(company.space):
        store.put_in_doubt(company.row(old), by=company.row(new), since=LATER, at=LATER)
    undo(company.space, new, actor=company.person, now=AFTER)
    assert in_doubt(company) == {}
    chain = chain_around(company.space, old, at=AFTER)
    assert [(event.kind, event.reason) for event in chain.events][-1] == ("cleared", "taken_back")
    assert chain.events[-1].actor_name == company.person.display_name


def test_in_a_summary_a_part_stays_in_doubt_and_carries_it_out_again(company):
    """Compression keeps the doubt on the part; where another part gives way, the words that stand again are in doubt still."""
    two = company.hear("Hyran är 12 000 kr i månaden")
    old, new = doubt(company)
    company.put_in_one([two, old], at=AFTER)
    assert in_doubt(company) == {ANNA: new}
    company.hear("Hyran är 14 000 kr i månaden", at=AFTER + DAY)
    (again,) = [row for row in company.active(AFTER + DAY) if row.content == ANNA]
    assert (again.pk != old, again.doubted_by_id, again.doubted_since) == (True, new, LATER)


def test_a_summary_that_is_undone_gives_back_the_doubts_of_its_parts(company, subtests):
    """By the row that says again what caused them, whichever part is asked for: taking one out of a summary settles nothing."""
    for which in (0, 1):
        with subtests.test(which=which):
            firm = Company(f"bo{which}")
            parts = list(doubt(firm))
            firm.put_in_one(parts, at=AFTER)
            rows = undo(firm.space, parts[which], actor=firm.person, now=AFTER + DAY)
            anna, tom = (
                firm.row(next(row.pk for row in rows if row.content == text)) for text in (ANNA, TOM)
            )
            assert rows[0].restores_id == parts[which]
            assert (anna.doubted_by_id, anna.doubted_since, tom.doubted_by_id) == (tom.pk, LATER, None)


def test_an_earlier_moment_is_told_as_it_was(company):
    """Before the doubt, in it, and after a person's word; lists of what is in doubt say the same."""
    old, new = doubt(company)
    with space_scope(company.space):
        now = FactFilter(state=State.DOUBTED).facts_of(company.space, at=AFTER)
        assert set(now.values_list("pk", flat=True)) == {old}
    settle(company, old, holds=True)
    told = {}
    for moment in (NOW, LATER, AFTER):
        asked = FactFilter(state=State.ALL, as_of=moment)
        with space_scope(company.space):
            facts = asked.facts_of(company.space, at=moment).filter(pk=old)
            (fact,) = show_asked(company.space, facts, asked, at=moment)
            listed = FactFilter(state=State.DOUBTED, as_of=moment).facts_of(company.space, at=moment)
            assert set(listed.values_list("pk", flat=True)) == ({old} if fact.is_doubted else set())
        told[moment] = (fact.is_doubted, fact.doubted_by_id, fact.doubted_since)
    assert told == {NOW: (False, None, None), LATER: (True, new, LATER), AFTER: (False, None, None)}


def test_killed_in_the_middle_nothing_is_written(committed):
    """The new row, the doubt, its event and its record come together or not at all."""
    company = Company()
    old = company.hear(ANNA)
    before, counted = company.everything(), AuditEvent.objects.filter(chain=company.space).count()
    # The writing fails when the new row is there and the old one is to be marked.
    fail_at(company.row(old), lambda: company.hear(TOM, at=LATER))
    assert company.everything() == before
    assert AuditEvent.objects.filter(chain=company.space).count() == counted
    assert (in_doubt(company), company.kinds_of(company.row(old))) == ({}, ["believed"])
    new = company.hear(TOM, at=LATER)
    assert in_doubt(company) == {ANNA: new}


def test_a_stranger_changes_nothing(company):
    """Neither a fact of another company nor one that does not exist."""
    old, _ = doubt(company)
    stranger = Company("eva")
    for which, fact in ((stranger, old), (company, new_id())):
        with pytest.raises(NotFound):
            settle(which, fact, holds=True)
    assert ANNA in in_doubt(company)
