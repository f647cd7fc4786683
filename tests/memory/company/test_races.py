"""Several at once on one company: committed rows, real threads, a connection each."""

import threading
from datetime import timedelta
from functools import partial

import pytest

from companion_site.audit.services import find_breaks
from companion_site.vault.scope import write_scope
from memory.company.intake import believe
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import set_state, standing_deadlines, standing_figures
from memory.company.reconcile.engine import discern
from memory.company.reconcile.undo import undo
from memory.company.store import confirm
from tests.factories import NOW
from tests.memory.company.conftest import Company
from tests.racing import at_once

pytestmark = pytest.mark.spec("C6")

TWO, IN_WORDS, THREE = (
    "Hyran är 12 000 kr i månaden",
    "Hyran är 12000 kronor per månad",
    "Hyran är 13 000 kr i månaden",
)


class Meeting:
    """Compares facts as ever, and lets nobody go on before all have compared once: so each has seen the old memory."""

    def __init__(self, parties: int) -> None:
        self.barrier, self.met = threading.Barrier(parties), threading.local()

    def __call__(self, *given, **options):
        found = discern(*given, **options)
        if not getattr(self.met, "once", False):
            self.met.once = True
            self.barrier.wait(20)
        return found


def take_in(company: Company, *facts, now=NOW) -> None:
    """Have each fact taken in by a job of its own, all having seen the same memory."""
    meeting = Meeting(len(facts))
    at_once(*(partial(believe, company.space, [fact], now=now, discern=meeting) for fact in facts))


@pytest.mark.parametrize(
    "said",
    [
        [(TWO, 0.8), (TWO, 0.8)],
        [(TWO, 0.6), (IN_WORDS, 0.9)],
        [(TWO, 0.9), (IN_WORDS, 0.6)],
        [(TWO, 0.8), (IN_WORDS, 0.8)] * 4,
    ],
)
def test_many_jobs_make_one_fact(committed, said):
    """All compared before any had written; worded alike or not, the others find the first one's and join it."""
    company = Company()
    take_in(company, *(company.new(text, confidence=confidence) for text, confidence in said))
    (row,) = company.active()
    assert company.believed_at(NOW) == {row.pk}
    assert not list(find_breaks(company.space))


def test_two_jobs_that_contradict_each_other_leave_one(committed):
    """What was said later stands, whichever was faster; the other is history."""
    company, later = Company(), NOW + timedelta(minutes=1)
    take_in(company, company.new(TWO), company.new(THREE, said_at=later), now=later)
    assert [row.content for row in company.active()] == [THREE]
    assert len(company.everything()) == 2


def test_a_message_read_by_two_jobs_is_taken_in_once(committed):
    """Not even as history or as a confirmation does it count twice."""
    company = Company()
    take_in(company, *[company.new(TWO)] * 2)
    (row,) = company.active()
    assert (row.confirmations, company.kinds_of(row)) == (0, ["believed"])


def test_undoing_while_a_job_thinks(committed):
    """The job sees what was brought back, and takes its fact in against that."""
    company = Company()
    old = company.hear(TWO)
    company.hear(THREE, at=NOW + timedelta(days=1))
    at = NOW + timedelta(days=2)
    thinking, undone = threading.Event(), threading.Event()

    def discern_slowly(*given, **options):
        found = discern(*given, **options)
        thinking.set()
        undone.wait(20)
        return found

    def take_back():
        thinking.wait(20)
        undo(company.space, old, actor=company.person, now=at)
        undone.set()

    said = company.new("Hyran är 13000 kronor per månad", said_at=at - timedelta(hours=1), confidence=0.9)
    at_once(lambda: believe(company.space, [said], now=at, discern=discern_slowly), take_back)
    assert [row.content for row in company.active()] == [TWO]


def test_two_replies_at_once_confirm_once(committed):
    """Both saw a fact that nobody had used; the second to get the lock sees that the first just did."""
    company = Company()
    fact, at = company.hear(TWO), NOW + timedelta(days=2)
    replies = [
        threading.Thread(target=at_once, args=(lambda: confirm(company.space, [fact], now=at),)) for _ in "12"
    ]
    with write_scope(company.space):
        for reply in replies:
            reply.start()
        for reply in replies:
            reply.join(0.5)
            assert reply.is_alive()
    for reply in replies:
        reply.join(20)
    row = company.row(fact)
    assert (row.confirmations, company.kinds_of(row)) == (1, ["believed", "confirmed"])


def test_a_job_waits_for_who_writes(committed):
    """While somebody holds the space nothing is written; once they are done the job goes on."""
    company = Company()
    job = threading.Thread(target=at_once, args=(lambda: company.hear(TWO),))
    with write_scope(company.space):
        job.start()
        job.join(1)
        assert job.is_alive()
    job.join(20)
    assert len(company.active()) == 1


@pytest.mark.spec("C11")
def test_programs_that_report_at_once_do_not_lose_or_double_anything(committed):
    """Six set the same keys at once, each of another day: one row a key, of the newest, and the record holds."""
    space, today = Company().space, NOW.date()

    def report(days):
        kpis = [KpiEntry(key=key, value=days, as_of=today - timedelta(days)) for key in ("cash", "employees")]
        due = [DeadlineEntry(key="rent", due_on=today)]
        set_state(space, kpis, due, source="api", now=NOW, actor=None)

    at_once(*(partial(report, days) for days in range(6)))
    assert {figure.key: figure.value for figure in standing_figures(space)} == {"employees": 0, "cash": 0}
    assert len(standing_deadlines(space)) == 1
    assert not list(find_breaks(space))
