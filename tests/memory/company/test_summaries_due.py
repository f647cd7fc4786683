"""When a company's memory is compressed, and that the site does it by itself."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.summaries.service import find_trigger, queue_all_due
from memory.company.tasks import compress_companies, compress_company
from tests.factories import NOW
from tests.memory.company.firm import Firm, different, unrelated

pytestmark = pytest.mark.spec("C9")


def trigger(firm: Firm, *, days: float) -> str | None:
    with space_scope(firm.space):
        return find_trigger(firm.space, now=NOW + timedelta(days=days))


def test_it_is_due_a_month_after_the_first_fact_and_after_each_compression(firm):
    """The month counts from the last compression, before that from the first fact; an empty memory is never due."""
    assert trigger(firm, days=400) is None
    firm.hold(*unrelated(3), vectors=different(3))
    assert [trigger(firm, days=days) for days in (29, 30)] == [None, "monthly"]
    firm.compress(now=NOW + timedelta(days=33))
    assert [trigger(firm, days=days) for days in (34, 62, 63)] == [None, None, "monthly"]


def test_it_is_due_above_fifty_and_not_at_fifty(firm):
    """Fifty facts may be active; expired ones do not count."""
    firm.hold(*unrelated(50), vectors=different(50))
    assert trigger(firm, days=1) is None
    firm.hold("One more to do", category="unresolved", vectors=different(51)[50:])
    assert trigger(firm, days=1) == "too_many"
    firm.compress(now=NOW + timedelta(days=2))
    assert trigger(firm, days=3) is None


def test_the_daily_job_queues_what_is_due(committed):
    """Companies that are due get a job each, with nothing but an id; closed spaces get none."""
    due, waiting, closed = Firm("Due AB"), Firm("Young AB"), Firm("Closed AB")
    for firm in (due, waiting, closed):
        firm.hold(*unrelated(2), vectors=different(2))
    Space.objects.filter(pk=closed.space).update(closed_at=NOW)
    waiting.force(now=NOW + timedelta(days=20))
    assert queue_all_due(now=NOW + timedelta(days=31)) == 1
    (queued,) = OrmQ.objects.all()
    assert (queued.func(), queued.args()) == ("memory.company.tasks.compress_company", (str(due.space),))


def test_the_daily_job_finds_what_grew_too_large_and_what_a_year_has_ended_for(committed):
    """A compression of a few days ago makes neither wait."""
    full, old = Firm("Full AB"), Firm("Old AB")
    old.hold("Chose K2 for the annual report", at=datetime(2025, 1, 4, 9, tzinfo=UTC))
    for firm in (full, old):
        firm.force(now=datetime(2025, 12, 20, 9, tzinfo=UTC))
    full.hold(*unrelated(51), vectors=different(51), at=datetime(2025, 12, 21, 9, tzinfo=UTC))
    days = [datetime(2025, 12, 31, 9, tzinfo=UTC), datetime(2026, 1, 5, 9, tzinfo=UTC)]
    assert [queue_all_due(now=day) for day in days] == [1, 2]


def test_the_daily_job_looks_into_no_company_that_is_not_due(committed):
    """However many companies there are, those that rest cost no query each."""

    def cost() -> int:
        with (
            CaptureQueriesContext(connections["default"]) as site,
            CaptureQueriesContext(connections["metadata"]) as metadata,
        ):
            assert queue_all_due(now=NOW + timedelta(days=31)) == 0
        return len(site) + len(metadata)

    def add(name: str) -> None:
        firm = Firm(name)
        firm.hold(*unrelated(2), vectors=different(2))
        firm.force(now=NOW + timedelta(days=20))

    add("First AB")
    one = cost()
    for number in range(4):
        add(f"More {number} AB")
    assert cost() == one


def test_the_jobs_run_twice_without_harm(committed):
    """What the worker calls compresses what is due by the clock, once."""
    firm = Firm()
    firm.hold(*unrelated(52), category="preference", vectors=different(52))
    for _ in range(2):
        compress_company(str(firm.space))
    assert sum(row.origin == "summary" for row in firm.rows().values()) > 0
    before = firm.look()
    compress_company(str(firm.space))
    assert firm.look() == before
    compress_companies()
    assert not OrmQ.objects.exists()
