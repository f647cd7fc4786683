"""The history of a company's memory: nothing is ever deleted, and every moment of the past can be told, in two ways."""

from datetime import timedelta

import pytest
from django.db import ProgrammingError, connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion_site.errors import NotFound
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.company.audit.chains import chain_around
from memory.company.reconcile.undo import review, undo
from memory.company.store import confirm
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.conftest import Company
from tests.memory.company.histories import ACTIONS, History, replay

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12")]

DAY = timedelta(days=1)
LATER = NOW + 3 * DAY
RENT = "Hyran är 1{} 000 kr i månaden"


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=4, max_size=14))
def test_rows_and_events_tell_the_same_past(db, actions):
    """Whatever was said, confirmed, compressed, undone and reviewed, and however the clock went: at every moment both
    ways of asking give the same facts, what was current then is told for then, and no row is lost."""
    with transaction.atomic():
        history = History(Company(str(new_id())))
        for action in actions:
            history.do(action)
        history.check()
        transaction.set_rollback(True)


@cases("table", ["company_memory", "company_memory_event"])
def test_the_site_may_not_delete(company, table):
    """Not by a defect and not by a break-in: the database refuses it to the site's role."""
    company.hear(RENT.format(2))
    with space_scope(company.space), pytest.raises(ProgrammingError, match="permission denied"):
        run_sql(f"DELETE FROM {table}")  # noqa: S608


def test_the_site_may_not_rewrite_events(company):
    """What happened is only ever added to."""
    company.hear(RENT.format(2))
    with space_scope(company.space), pytest.raises(ProgrammingError, match="permission denied"):
        run_sql("UPDATE company_memory_event SET at = now()")


def test_what_was_believed_then_is_told_for_then(company):
    """Before, between and after a change of mind."""
    two = company.hear(RENT.format(2))
    three = company.hear(RENT.format(3), at=LATER)
    assert company.believed_at(NOW - DAY) == set()
    assert company.believed_at(NOW) == company.believed_at(LATER - timedelta(microseconds=1)) == {two}
    assert company.believed_at(LATER) == company.believed_at(LATER + DAY) == {three}


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


def run_sql(statement):
    with transaction.atomic(), connections["default"].cursor() as cursor:
        cursor.execute(statement)
