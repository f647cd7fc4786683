"""Jobs keep to themselves what they were given."""

import pickle
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

from companion_site.broker import FairBroker
from companion_site.ids import new_id
from companion_site.jobs import JobFailed, enqueue, job

REMEMBERED = ["my cat is called Moses"]


@job
def fail_quoting(space, *, now):
    """Fail as a library might, quoting what it was given."""
    float(REMEMBERED[0])


def test_a_failure_names_its_error_and_says_no_more(caplog):
    """What the queue stores and what is logged of a failed job holds the class of the error, not its text."""
    import traceback

    with pytest.raises(JobFailed) as failed:
        fail_quoting(str(new_id()))
    stored = "".join(traceback.format_exception(failed.value))
    assert "ValueError" in stored and "Moses" not in stored
    logged = caplog.text
    assert "job.failed" in logged and "Moses" not in logged


@pytest.mark.django_db
def test_only_jobs_can_be_queued():
    """A typo or any other function is refused where it is queued, not later on the worker."""
    with pytest.raises(ImportError):
        enqueue("chat.tasks.form_nothing", new_id())
    with pytest.raises(TypeError):
        enqueue("chat.services.make_title", new_id())
    assert OrmQ.objects.count() == 0


def lane_of(row):
    return row.key.split("/")[1] if "/" in row.key else ""


def take_all(broker, *, at):
    """Return the lanes in the order in which their jobs are taken, a second apart."""
    lanes = []
    while (taken := broker.take(now=at + timedelta(seconds=len(lanes)))) is not None:
        lanes.append(lane_of(OrmQ.objects.get(pk=taken[0])))
        broker.acknowledge(taken[0])
    return lanes


@pytest.mark.django_db
def test_no_space_holds_the_queue():
    """Whoever queues much is taken from in turn with the others: nobody waits for more than one job of each other space."""
    loud, quiet, late = new_id(), new_id(), new_id()
    for _ in range(40):
        enqueue("chat.tasks.form_memory", loud, new_id())
    enqueue("chat.tasks.form_memory", quiet, new_id())
    async_task("chat.tasks.remove_expired_texts")
    broker, at = FairBroker(), timezone.now() + timedelta(seconds=1)
    first = [broker.take(now=at + timedelta(seconds=n)) for n in range(3)]
    assert {lane_of(OrmQ.objects.get(pk=number)) for number, _ in first} == {loud.hex, quiet.hex, ""}
    for _ in range(3):
        enqueue("chat.tasks.form_memory", late, new_id())
    OrmQ.objects.filter(key__contains=late.hex).update(lock=at + timedelta(seconds=3))
    broker = pickle.loads(pickle.dumps(broker))  # noqa: S301  as it is given to the process that takes the jobs
    order = take_all(broker, at=at + timedelta(seconds=4))
    assert len(order) == 39 + 3
    places = [place for place, lane in enumerate(order) if lane == late.hex]
    assert places[0] <= 1 and places[1] - places[0] == 2 and places[2] - places[1] == 2


@pytest.mark.django_db
def test_a_lane_that_was_taken_from_goes_behind_what_waited_longer_but_never_starves():
    """New spaces come one after the other, each with one job: a space that was taken from before is still taken from again."""
    known = new_id()
    broker, at = FairBroker(), timezone.now() + timedelta(seconds=1)
    for _ in range(2):
        enqueue("chat.tasks.form_memory", known, new_id())
    broker.take(now=at)
    for number in range(30):
        enqueue("chat.tasks.form_memory", new_id(), new_id())
        newest = OrmQ.objects.latest("id")
        OrmQ.objects.filter(pk=newest.pk).update(lock=at + timedelta(seconds=number + 1))
    order = take_all(broker, at=at + timedelta(seconds=60))
    assert order[0] == known.hex and len(order) == 31


@pytest.mark.django_db
def test_a_job_is_taken_once_and_comes_back_when_its_worker_died(settings):
    """Two processes never take the same row; what was taken and not acknowledged can be taken after its time."""
    enqueue("chat.tasks.form_memory", new_id(), new_id())
    one, other, at = FairBroker(), FairBroker(), timezone.now() + timedelta(seconds=1)
    taken = one.take(now=at)
    assert taken is not None and other.take(now=at) is None
    assert (one.queue_size(), one.lock_size()) == (0, 1)
    again = other.take(now=at + timedelta(seconds=settings.JOB_RETRY_S + 1))
    assert again == taken
    other.acknowledge(taken[0])
    assert not OrmQ.objects.exists()
