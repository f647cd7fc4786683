"""The history of a company's memory: nothing is ever deleted, and every moment of the past can be told, in two ways."""

from datetime import timedelta

import pytest
from django.db import ProgrammingError, connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion_site.errors import CompanionError, NotFound
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.company.audit.chains import chain_around
from memory.company.reconcile.undo import can_be_undone, review, undo
from memory.company.store import confirm
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.conftest import Company
from tests.memory.company.histories import ACTIONS, History, replay

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12")]

DAY = timedelta(days=1)
LATER = NOW + 3 * DAY
RENT = "Hyran är 1{} 000 kr i månaden"


def works(company, fact, *, at):
    """Tell whether undoing a fact works, and take that back."""
    try:
        with transaction.atomic():
            undo(company.space, fact, actor=company.person, now=at)
            transaction.set_rollback(True)
    except CompanionError:
        return False
    return True


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=4, max_size=14))
def test_rows_and_events_tell_the_same_past(db, actions):
    """Whatever was said, confirmed, compressed, undone and reviewed, and however the clock went: at every moment both
    ways of asking give the same facts, what was current then is told for then, and no row is lost. A superseded fact has
    a button to undo if and only if the button does something."""
    with transaction.atomic():
        history = History(Company(str(new_id())))
        for action in actions:
            history.do(action)
        history.check()
        company = history.company
        gone = [fact for fact in company.everything() if company.row(fact).superseded_by_id is not None]
        offered = can_be_undone(company.space, gone)
        assert offered == {fact for fact in gone if works(company, fact, at=history.now)}
        transaction.set_rollback(True)


@cases(
    "statement",
    [
        "DELETE FROM company_memory",
        "DELETE FROM company_memory_event",
        "UPDATE company_memory_event SET at = now()",
    ],
)
def test_the_site_may_not_delete_facts_nor_rewrite_events(company, statement):
    """Not by a defect and not by a break-in: the database refuses it to the site's role."""
    company.hear(RENT.format(2))
    with (
        space_scope(company.space),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connections["default"].cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.spec("C8")
def test_an_expired_fact_is_believed_up_to_its_end(company):
    """Asked for the past, it is there; asked for today, it is not; and a confirmation moves the end."""
    item = company.hear("Överväger att anställa en tredje person", category="unresolved")
    assert company.believed_at(NOW + 29 * DAY) == {item}
    assert company.believed_at(NOW + 30 * DAY) == set()
    confirm(company.space, [item], now=NOW + 20 * DAY)
    assert company.believed_at(NOW + 49 * DAY) == {item}
    assert company.believed_at(NOW + 50 * DAY) == set()


def test_a_clock_set_back_ends_nothing_before_it_began(company):
    """What replaces a fact of a later date begins with it."""
    old = company.hear(RENT.format(2), at=LATER)
    new = company.believe([company.new(RENT.format(3), said_at=LATER)], at=NOW).rows[0]
    assert company.row(old).superseded_at == company.row(new).created_at == LATER
    assert company.believed_at(LATER) == {new}


def test_a_chain_of_another_company_is_not_there(company):
    """An id of theirs is nothing here, for reading, undoing and reviewing."""
    theirs = Company("eve").hear(RENT.format(2))
    for attempt in (
        lambda: chain_around(company.space, theirs, at=LATER),
        lambda: undo(company.space, theirs, actor=company.person, now=LATER),
        lambda: review(company.space, theirs, actor=company.person, keep=True, now=LATER),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert confirm(company.space, [theirs], now=LATER) == []
    assert replay(company.space, LATER) == set()
