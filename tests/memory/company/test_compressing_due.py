"""When a company's memory is compressed, and that the site does it by itself."""

from datetime import timedelta

import pytest
from django_q.models import OrmQ

from companion_site.jobs import declared_schedules
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company import compressing
from memory.company.tasks import compress_companies, compress_company
from tests.factories import NOW
from tests.memory.company.firm import Firm, different, unrelated

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C9")]


def trigger(firm: Firm, *, days: float) -> str | None:
    with space_scope(firm.space):
        return compressing.find_trigger(firm.space, now=NOW + timedelta(days=days))


def test_an_empty_memory_is_never_due():
    """Where nothing is believed there is nothing to compress."""
    assert trigger(Firm(), days=400) is None


def test_it_is_due_a_month_after_the_first_fact_and_after_each_compression():
    """The month counts from the last compression, before that from the first fact."""
    firm = Firm()
    firm.hold(*unrelated(3), vectors=different(3))
    assert [trigger(firm, days=days) for days in (29, 30)] == [None, "monthly"]
    firm.compress(now=NOW + timedelta(days=33))
    assert [trigger(firm, days=days) for days in (34, 62, 63)] == [None, None, "monthly"]


def test_it_is_due_above_fifty_and_not_at_fifty():
    """Fifty facts may be active; expired ones do not count."""
    firm = Firm()
    firm.hold(*unrelated(50), vectors=different(50))
    assert trigger(firm, days=1) is None
    firm.hold("One more to do", category="unresolved", vectors=different(51)[50:])
    assert trigger(firm, days=1) == "too_many"
    firm.compress(now=NOW + timedelta(days=2))
    assert trigger(firm, days=3) is None


def test_the_daily_job_queues_what_is_due():
    """Companies that are due get a job each, with nothing but an id; closed spaces get none."""
    due, waiting, closed = Firm("Due AB"), Firm("Young AB"), Firm("Closed AB")
    for firm in (due, waiting, closed):
        firm.hold(*unrelated(2), vectors=different(2))
    Space.objects.filter(pk=closed.space).update(closed_at=NOW)
    waiting.force(now=NOW + timedelta(days=20))
    assert compressing.queue_all_due(now=NOW + timedelta(days=31)) == 1
    (queued,) = OrmQ.objects.all()
    assert (queued.func(), queued.args()) == ("memory.company.tasks.compress_company", (str(due.space),))


def test_the_jobs_run_twice_without_harm():
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


def test_it_is_scheduled_daily():
    """The site asks every day what is due."""
    tasks = [each for each in declared_schedules() if each.task == "memory.company.tasks.compress_companies"]
    assert [each.every_minutes for each in tasks] == [24 * 60]
