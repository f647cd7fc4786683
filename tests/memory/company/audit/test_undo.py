"""What a page offers to undo is exactly what undoing takes back, and a contradiction is shown for what it is."""

import pytest

from companion_site.vault.scope import space_scope
from memory.company import store
from memory.company.audit.facts import as_it_was, page_of_flagged, show_facts
from memory.company.audit.filters import State, in_state
from memory.company.reconcile.undo import can_be_undone, review, undo
from memory.models import CompanyFact
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.audit.rows import DAY

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12")]


@cases("decide", ["undo", "review"])
def test_what_was_said_again_since_is_undone_in_one_click(company, decide):
    """The flag goes over to what says it more surely; beside it stands what was contradicted, not the row between, and comes back."""
    two = company.hear("Hyran är 12 000 kr i månaden")
    three = company.hear("Hyran är 13 000 kr i månaden", at=NOW + DAY, confidence=0.7)
    surely = company.hear("Hyran är 13000 kronor per månad", at=NOW + 2 * DAY, confidence=0.95)
    assert can_be_undone(company.space, [two, three, surely]) == {two, three}
    at = NOW + 3 * DAY
    (waiting,) = page_of_flagged(company.space, now=at, number=None).object_list
    assert (waiting.id, [fact.id for fact in waiting.joined]) == (surely, [two])
    if decide == "undo":
        undo(company.space, two, actor=company.person, now=at)
    else:
        review(company.space, surely, actor=company.person, keep=False, now=at)
    assert [fact.content for fact in company.active(at)] == ["Hyran är 12 000 kr i månaden"]
    assert page_of_flagged(company.space, now=at, number=None).object_list == []


def test_what_is_flagged_again_after_its_review_waits_again(company):
    """A review answers one contradiction, not the ones to come; as of a moment between, it does not wait."""
    two = company.hear("Hyran är 12 000 kr i månaden")
    three = company.hear("Hyran är 13 000 kr i månaden", at=NOW + DAY)
    review(company.space, three, actor=company.person, keep=True, now=NOW + 2 * DAY)
    with space_scope(company.space):
        store.flag(company.row(three), against=company.row(two), at=NOW + 3 * DAY)
    waiting = page_of_flagged(company.space, now=NOW + 4 * DAY, number=None).object_list
    assert [one.id for one in waiting] == [three]
    assert [one.is_flagged for one in waiting] == [True]
    for days, flagged in ((1, {three}), (2, set()), (3, {three}), (4, {three})):
        at = NOW + days * DAY
        with space_scope(company.space):
            then = in_state(company.space, State.FLAGGED, at=at, is_past=True)
            assert set(then.values_list("pk", flat=True)) == flagged, days
            (fact,) = as_it_was(
                company.space,
                show_facts(CompanyFact.objects.for_space(company.space).filter(pk=three), at=at),
                at=at,
            )
        assert fact.is_flagged is bool(flagged), days
