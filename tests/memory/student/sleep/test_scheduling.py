"""When a memory falls asleep, by itself: planned, queued once, tried again, carried out, given its key or waiting for it."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from chat import services
from companion_site.accounts.services import switch_memory
from companion_site.audit.models import AuditEvent
from companion_site.jobs import declared_schedules
from companion_site.vault import unlocked
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import close_space, grant_lease, resume_work
from memory import tasks
from memory.models import SleepRun
from memory.student.runs import find_open
from memory.student.sleep import timing
from memory.student.sleep.run import sleep, sleep_if_due
from memory.student.sleep.timing import awaits_sleep, queue_due, request_sleep
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.live import run_jobs
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I2", "AC-2.1.5")]

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def queued(task: str = timing.TASK) -> int:
    return sum(job.task["func"] == task for job in OrmQ.objects.all())


def leases(ada: Sleeper) -> int:
    with space_scope(ada.space):
        return KeySlot.objects.for_space(ada.space).of_kind(KeySlot.Kind.LEASE).count()


def let_in(ada: Sleeper, *, at=NOW) -> None:
    grant_lease(ada.key, now=at)
    OrmQ.objects.all().delete()


def test_sleep_is_planned_four_hours_after_the_last_thing_said(access):
    """By taking in a message, and nothing else: each one moves it on."""
    ada = Sleeper(access)
    assert ada.next_sleep_at() is None
    row = services.begin_conversation(access, now=timezone.now())
    for text in ("I live in Lund with my aunt Karin and her two dogs.", "My exam in chemistry is on 3 June."):
        services.say(access, row.pk, text=text, client_id=uuid4(), now=timezone.now())
        before = timezone.now()
        run_jobs()
        assert before <= ada.next_sleep_at() - 4 * HOUR <= timezone.now()


def test_what_left_nothing_behind_plans_nothing(access):
    """A message that no memory forms from needs no sleep."""
    row = services.begin_conversation(access, now=timezone.now())
    services.say(access, row.pk, text="Ok!", client_id=uuid4(), now=timezone.now())
    run_jobs()
    assert Sleeper(access).next_sleep_at() is None


def test_a_person_who_never_stops_sleeps_after_a_day(ada):
    """The time moves forward with each thing taken in, never by more than a day after the first."""
    ada.say(MOSES)
    for hours in range(0, 30, 3):
        ada.plan(now=NOW + hours * HOUR)
        assert ada.next_sleep_at() == NOW + min(hours + 4, 24) * HOUR


def test_a_try_that_is_planned_is_not_brought_forward(ada):
    """What failed days ago is tried again in its time, however much is said meanwhile."""
    ada.say(MOSES)
    Space.objects.filter(pk=ada.space).update(next_sleep_at=NOW + 50 * HOUR)
    ada.plan(now=NOW + 49 * HOUR)
    assert ada.next_sleep_at() == NOW + 50 * HOUR


def test_a_due_space_is_queued_once(ada):
    """Not before its time; a second look queues nothing; ids alone are in the job."""
    ada.say(MOSES)
    ada.plan()
    let_in(ada)
    assert queue_due(now=NIGHT - MINUTE) == 0
    assert queue_due(now=NIGHT) == 1
    assert queue_due(now=NIGHT + MINUTE) == 0
    (job,) = OrmQ.objects.all()
    assert job.args() == (str(ada.space), str(find_open(SleepRun, ada.space).pk))


def test_a_lost_job_is_queued_again(ada, settings):
    """One that nobody began after an hour, one that its worker died over after the time that a job may take."""
    ada.say(MOSES)
    ada.plan()
    let_in(ada)
    queue_due(now=NIGHT)
    OrmQ.objects.all().delete()
    assert queue_due(now=NIGHT + 59 * MINUTE) == 0
    assert queue_due(now=NIGHT + HOUR) == 1
    timing.claim(ada.space, find_open(SleepRun, ada.space).pk, now=NIGHT + HOUR)
    died = NIGHT + HOUR + timedelta(seconds=settings.JOB_RETRY_S)
    assert queue_due(now=died - MINUTE) == 0
    assert queue_due(now=died) == 1
    assert len(ada.runs()) == 1


@pytest.mark.spec("I4", "AC-2.1.7")
def test_a_run_that_workers_die_over_again_and_again_has_failed(ada, settings):
    """Three deaths are three tries: the record says so, for review, and the next sleep begins anew four hours later."""
    ada.say(MOSES)
    run, died = timing.begin_run(ada.space, trigger="scheduled", now=NIGHT), NIGHT
    for attempt in (1, 2, 3):
        assert timing.claim(ada.space, run.pk, now=died).attempt == attempt
        died += timedelta(seconds=settings.JOB_TIMEOUT_S + 1)
    assert sleep(ada.space, run.pk, key=ada.key, now=died, queue=False).state == "failed"
    (row,) = ada.runs()
    assert (row.attempt, row.error, row.finished_at) == (3, timing.CUT_SHORT, died)
    assert ada.next_sleep_at() == died + 4 * HOUR
    events = AuditEvent.objects.filter(chain=ada.space, action="memory.sleep_failed")
    assert [event.data for event in events] == [{"error": timing.CUT_SHORT, "attempt": 3}]
    again = ada.sleep(now=died + 4 * HOUR)
    assert (again.state, again.attempt, again.processed) == ("success", 1, 3)


def test_one_look_queues_a_bounded_number(ada, monkeypatch):
    """The rest is found by the next look, the longest due first."""
    monkeypatch.setattr(timing, "MOST_QUEUED", 2)
    spaces = [ada, *(Sleeper(make_access(name)) for name in ("elsa", "nils"))]
    for late, sleeper in enumerate(spaces):
        sleeper.say(MOSES)
        sleeper.plan(now=NOW - late * MINUTE)
        let_in(sleeper)
    assert (queue_due(now=NIGHT), queue_due(now=NIGHT), queue_due(now=NIGHT)) == (2, 1, 0)
    assert [find_open(SleepRun, sleeper.space) is not None for sleeper in spaces] == [True] * 3


@pytest.mark.spec("AC-2.1.8")
def test_the_clock_and_the_worker_do_it_by_themselves(ada):
    """From the plan to the record, with no hand; run after run, until nothing is left. Then the key is given back."""
    began = timezone.now()
    for session in range(3):
        ada.say(
            [f"Goal {session}.{number} was scored by player {number}" for number in range(11)],
            at=began - 5 * HOUR,
        )
    ada.plan(now=began - 5 * HOUR)
    let_in(ada, at=began - MINUTE)
    tasks.queue_sleep()
    assert run_jobs() == 1
    assert leases(ada) == 1 and queued() == 1
    while run_jobs():
        pass
    assert [run.state for run in ada.runs()] == ["success"] * len(ada.runs())
    assert sum(run.processed for run in ada.runs()) == 33
    assert leases(ada) == 0 and ada.next_sleep_at() is None


def test_a_planned_sleep_keeps_the_lease(ada):
    """The worker does not give the key back while a sleep is to come, planned or not; without one it does."""
    with space_scope(ada.space):
        assert not awaits_sleep(ada.space)
        nodes = ada.say(MOSES)
        assert awaits_sleep(ada.space)
        ada.plan(now=timezone.now())
        ada.set(nodes, slept_over_at=NOW)
        assert awaits_sleep(ada.space)
    grant_lease(ada.key, now=timezone.now() - MINUTE)
    tasks.compress_after_session(str(ada.space))
    assert leases(ada) == 1
    Space.objects.filter(pk=ada.space).update(next_sleep_at=None)
    tasks.compress_after_session(str(ada.space))
    assert leases(ada) == 0


@cases("hours", [0, 24])
def test_without_the_key_it_waits_for_the_next_unlock(ada, settings, hours):
    """With leases off or run out, nothing is queued again and again: the space says that work is due, and its person brings it."""
    settings.LEASE_HOURS = hours
    ada.say(MOSES)
    ada.plan(now=timezone.now() - 5 * HOUR)
    assert queue_due(now=timezone.now()) == 0
    space = Space.objects.get(pk=ada.space)
    assert space.awaiting_key_since is not None and space.next_sleep_at is None
    assert queue_due(now=timezone.now() + HOUR) == 0
    assert OrmQ.objects.count() == 0
    assert [run.state for run in ada.runs()] == ["waiting"]
    resume_work(ada.key, now=timezone.now())
    run_jobs()
    assert [run.state for run in ada.runs()] == (["success"] if hours else ["waiting"])


def test_with_leases_off_the_open_session_carries_it_out(ada, settings):
    """What the web process calls while the person is there does what is due, one run at a time."""
    settings.LEASE_HOURS = 0
    ada.say(MOSES)
    ada.plan()
    assert sleep_if_due(ada.space, key=ada.key, now=NIGHT - MINUTE) is None
    assert sleep_if_due(ada.space, key=ada.key, now=NIGHT).state == "success"
    assert sleep_if_due(ada.space, key=ada.key, now=NIGHT) is None
    assert OrmQ.objects.count() == 0


@pytest.mark.spec("I4")
def test_the_person_can_ask_for_it(ada):
    """Asked twice is asked once; the record tells how far it is; it needs no plan."""
    ada.say(MOSES)
    with unlocked(ada.space, ada.key):
        first = request_sleep(ada.space, now=timezone.now())
        again = request_sleep(ada.space, now=timezone.now())
    assert first.pk == again.pk and (first.trigger, first.progress) == ("requested", 0.0)
    assert queued() == 1
    run_jobs()
    (run,) = ada.runs()
    assert (run.state, run.progress, run.processed) == ("success", 1.0, 3)


def test_a_closed_space_and_one_whose_memory_is_off_are_left_alone(ada, access):
    """Nothing is queued for them, and the plan goes."""
    ada.say(MOSES)
    ada.plan()
    let_in(ada)
    access.person.memory_on = False
    access.person.save(update_fields=["memory_on"])
    assert queue_due(now=NIGHT) == 0 and ada.next_sleep_at() is None
    assert ada.sleep().processed == 0
    elsa = make_access("elsa")
    Sleeper(elsa).say(HANDBALL)
    close_space(Space.objects.get(pk=elsa.space), now=NOW, actor=elsa.person)
    Sleeper(elsa).plan()
    assert queue_due(now=NIGHT) == 0


@cases("hours", [0, 24])
def test_memory_that_comes_on_again_sleeps_by_itself(ada, access, settings, hours):
    """What had to wait is planned with the switch, by the worker or the open session; nothing new has to be said first."""
    settings.LEASE_HOURS = hours
    ada.say(MOSES)
    ada.plan()
    switch_memory(access.person, on=False, key=ada.key, now=timezone.now())
    assert queue_due(now=timezone.now()) == 0 and ada.next_sleep_at() is None
    on = timezone.now()
    switch_memory(access.person, on=True, key=ada.key, now=on)
    run_jobs()
    if not hours:
        assert sleep_if_due(ada.space, key=ada.key, now=on) is None
    assert on + 4 * HOUR <= ada.next_sleep_at() <= timezone.now() + 4 * HOUR
    assert leases(ada) == bool(hours)


def test_what_was_forgotten_meanwhile_plans_nothing(ada):
    """A plan for memories that are gone goes at the first look."""
    nodes = ada.say(MOSES)
    ada.plan()
    ada.set(nodes, removed_at=NOW)
    assert queue_due(now=NIGHT) == 0 and ada.next_sleep_at() is None and ada.runs() == []


def test_the_site_does_it_by_itself():
    """It looks every minute for who is to sleep, and each day for what has expired or been kept long enough."""
    minutes = {each.task.removeprefix("memory.tasks."): each.every_minutes for each in declared_schedules()}
    assert minutes["queue_sleep"] == 1
    for task in ("expire_short_term", "purge_sleep_history", "purge_tombstones"):
        assert minutes[task] == 24 * 60
