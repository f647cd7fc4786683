"""The jobs, the command and the questions that carry a change of embedding model."""

import os
import signal
import time
from io import StringIO
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.utils import timezone
from django_q.models import OrmQ

from companion_site.ids import new_id
from companion_site.jobs import JobFailed
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.models import Space
from companion_site.vault.services import grant_lease, resume_work, use_lease
from memory.models import CompanyFactVector
from memory.reembedding import space as crossing
from memory.reembedding import tasks
from memory.student.workingset import WorkingSets
from tests.embeddings.wire import Act
from tests.factories import NOW, make_access
from tests.live import run_jobs
from tests.memory.company.firm import Firm
from tests.memory.conftest import Memory
from tests.memory.reembedding.conftest import NEW, OLD
from tests.memory.reembedding.test_space import awaits, models_of

QUESTION = "memory.reembedding.awaits_reembedding"
JOB = "memory.reembedding.tasks.reembed_space"


@pytest.fixture(autouse=True)
def wired(settings):
    """Have the leases know of this work, as the site's settings do."""
    settings.TASKS_AFTER_UNLOCK, settings.WORK_LEFT = [JOB], [QUESTION]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Work without pauses."""
    monkeypatch.setattr(crossing, "PAUSE_MOST_S", 0.0)


@pytest.fixture
def student(committed):
    """A student with two memories under the old model."""
    access = make_access("ada")
    memory = Memory(access.space, WorkingSets(budget_bytes=2**30, idle_s=3600))
    with unlocked(access.space, access.key):
        memory.hear("I play the cello in the school orchestra.")
        memory.hear("My kitten Pixel is grey.")
    return access


@pytest.fixture
def firm(committed) -> Firm:
    firm = Firm()
    firm.hold("Hired employee Anna Svensson, started 2025-11-01", "Took 100,000 kr in dividend in June 2025")
    return firm


def test_a_sealed_space_goes_over_with_its_next_key(student, change_model):
    """Nobody holds the key: it waits. At the next unlock it is leased, the space goes over, and the lease is given back."""
    change_model()
    tasks.queue_reembedding()
    assert OrmQ.objects.count() == 0 and models_of(student.space) == {OLD: 2}
    assert Space.objects.get(pk=student.space).awaiting_key_since is not None
    resume_work(student.key, now=timezone.now())
    assert [row.task["func"] for row in OrmQ.objects.all()] == [JOB]
    run_jobs()
    assert models_of(student.space) == {NEW: 2} and not awaits(student.space)
    assert use_lease(Space.objects.get(pk=student.space), purpose="test", now=timezone.now()) is None


def test_a_space_that_is_leased_is_queued_at_once(student, change_model):
    """Where a lease stands, nobody need come."""
    change_model()
    grant_lease(student.key, now=timezone.now())
    tasks.queue_reembedding()
    assert run_jobs() >= 1
    assert models_of(student.space) == {NEW: 2}


def test_an_open_space_goes_over_at_once(firm, change_model):
    """A company's facts need no key; what has gone over is not queued again."""
    change_model()
    tasks.queue_reembedding()
    assert run_jobs() == 1
    assert models_of(firm.space, CompanyFactVector) == {NEW: 2}
    tasks.queue_reembedding()
    assert OrmQ.objects.count() == 0


def test_a_job_whose_time_is_over_queues_the_next(firm, change_model, monkeypatch):
    """It works so long and goes to the end of the queue, so that others get their turn; the last one drops the old vectors."""
    change_model()
    monkeypatch.setattr(crossing, "PACE", crossing.Pace(seconds=0.0, batch=1, sleep=lambda seconds: None))
    tasks.reembed_space(str(firm.space))
    assert models_of(firm.space, CompanyFactVector) == {OLD: 2, NEW: 1}
    rounds = 0
    while OrmQ.objects.count() and rounds < 5:
        rounds += run_jobs()
    assert models_of(firm.space, CompanyFactVector) == {NEW: 2}


def test_two_workers_at_once_do_not_do_it_twice(firm, change_model, service):
    """Whoever has the space keeps it; the other leaves."""
    change_model()
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [f"reembedding:{firm.space}"])
    tasks.reembed_space(str(firm.space))
    assert service.texts == [] and models_of(firm.space, CompanyFactVector) == {OLD: 2}
    connections["owner"].close()  # as by a kill: the claim goes with the connection
    _reembed_once_free(firm.space)
    assert models_of(firm.space, CompanyFactVector) == {NEW: 2}


def test_a_failing_service_fails_the_job_and_nothing_else(student, change_model, service):
    """The error's name alone reaches the queue's table; the space waits for its next key and is tried again."""
    change_model()
    grant_lease(student.key, now=timezone.now())
    service.default = Act(status=401)
    with pytest.raises(JobFailed, match="EmbeddingsRejected"):
        tasks.reembed_space(str(student.space))
    assert models_of(student.space) == {OLD: 2}
    assert Space.objects.get(pk=student.space).awaiting_key_since is not None
    service.default = Act()
    resume_work(student.key, now=timezone.now())
    run_jobs()
    assert models_of(student.space) == {NEW: 2}


def test_a_killed_worker_is_followed_by_another(firm, change_model, service):
    """SIGKILL after the first batch: what was written stands, the claim is free, and the next job does the rest alone."""
    change_model()
    connections.close_all()
    child = os.fork()
    if not child:
        pace = crossing.Pace(seconds=None, batch=1, tell=lambda count: os.kill(os.getpid(), signal.SIGKILL))
        try:
            crossing.reembed(firm.space, key=OpenSpaceKey(firm.space), now=NOW, pace=pace)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert models_of(firm.space, CompanyFactVector) == {OLD: 2, NEW: 1}
    _reembed_once_free(firm.space)
    assert models_of(firm.space, CompanyFactVector) == {NEW: 2}
    assert len(service.texts) == len(set(service.texts)) == 2


def _reembed_once_free(space: UUID) -> None:
    """Run the job until it has had the space: the server has yet to see that its client is gone."""
    for _ in range(100):
        tasks.reembed_space(str(space))
        if not awaits(space):
            break
        time.sleep(0.05)


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("reembed", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_takes_over_what_is_open_and_tells_how_far_it_is(student, firm, change_model):
    """Open spaces now, with progress; sealed ones are told of and wait. It reads no word of what it counts."""
    change_model()
    assert "company facts: 0 of 2 (0%)" in told("--status")
    assert models_of(firm.space, CompanyFactVector) == {OLD: 2}, "--status changes nothing"
    text = told()
    assert NEW in text and "company facts: 2 of 2 (100%)" in text and "memories: 0 of 2 (0%)" in text
    assert "0 open, 1 sealed" in text and str(firm.space) in text
    assert Space.objects.get(pk=student.space).awaiting_key_since is not None
    assert "cello" not in text


def test_the_command_stops_with_a_reason_and_goes_on_later(firm, change_model, service):
    """A service that fails: one line, no trace; run again, it goes on."""
    change_model()
    service.default = Act(status=401)
    with pytest.raises(CommandError, match="run this again"):
        told()
    service.default = Act()
    told("--space", str(firm.space))
    assert models_of(firm.space, CompanyFactVector) == {NEW: 2}
    with pytest.raises(CommandError, match="no space"):
        told("--space", str(new_id()))


def test_a_memory_without_any_change_of_model_is_left_alone(student, firm):
    """Nothing is due, nothing queued, nothing dropped."""
    tasks.queue_reembedding()
    tasks.reembed_space(str(firm.space))
    assert OrmQ.objects.count() == 0
    assert models_of(student.space) == {OLD: 2} and models_of(firm.space, CompanyFactVector) == {OLD: 2}
