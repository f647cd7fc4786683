"""Sleeps beside each other and beside everything else that writes: nobody overwrites anybody, nobody waits for long."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection, connections

from companion_site.accounts.services import switch_memory
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from memory.student.sleep import run as running
from memory.student.sleep.run import sleep
from memory.student.sleep.timing import begin_run, claim
from memory.student.store import touch
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper
from tests.racing import at_once, killed_at, meanwhile

pytestmark = [pytest.mark.spec("I4", "AC-2.1.7")]


def is_thought(sql: str, params: Sequence | None) -> bool:
    """Tell whether a run notes that all has been thought out."""
    return bool(sql.startswith('UPDATE "memory_sleeprun"') and params and params[0] == running.THOUGHT)


def asked(work: Callable[[], object]) -> tuple[int, object]:
    """Return how often a sleep thought, and what it came to."""
    told = []

    def count(execute, sql, params, many, context):
        if is_thought(sql, params):
            told.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        done = work()
    return len(told), done


def test_two_at_once_on_one_space(committed):
    """Asked for by several at the same moment there is one run, and of several workers one carries it out."""
    ada = Sleeper(make_access("ada"))
    said = ada.say([*MOSES, *HANDBALL], salience=0.8)

    (run,) = set(at_once(*[lambda: begin_run(ada.space, trigger="requested", now=NIGHT).pk] * 3))
    at_once(*[lambda: sleep(ada.space, run, key=ada.key, now=NIGHT, queue=False)] * 3)
    assert [each.state for each in ada.runs()] == ["success"]
    with space_scope(ada.space):
        assert AuditEvent.objects.filter(chain=ada.space, action="memory.slept").count() == 1
    places = [str(node) for change in ada.changes("consolidated") for node in change.node_ids]
    assert sorted(places) == sorted(map(str, said))


def test_chat_does_not_wait_for_a_sleep_that_thinks(committed, monkeypatch):
    """While it thinks no lock is held: what is said meanwhile is stored at once, and stays out of what was thought."""
    ada = Sleeper(make_access("ada"))
    said = ada.say(MOSES, salience=0.8)
    thinking, go_on = Event(), Event()
    think = running.consolidate

    def think_for_long(*args, **options):
        thinking.set()
        assert go_on.wait(30)
        return think(*args, **options)

    monkeypatch.setattr(running, "consolidate", think_for_long)

    def work() -> None:
        try:
            ada.sleep()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        sleeping = pool.submit(work)
        assert thinking.wait(30)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        (later,) = ada.say(["My bus leaves at 07.15"], at=NIGHT + timedelta(seconds=1))
        touch(ada.space, said[:1], now=NIGHT)
        go_on.set()
        sleeping.result(30)
    assert [run.state for run in ada.runs()] == ["success"]
    assert ada.nodes(pk=later)[later].slept_over_at is None


@pytest.mark.django_db
def test_what_was_used_meanwhile_keeps_its_weight_and_costs_no_second_thought(ada):
    """Recalling a memory while sleep thinks about it changes nothing that was thought about."""
    nodes = ada.say(MOSES, salience=0.8)

    def use() -> None:
        touch(ada.space, nodes, now=NIGHT - timedelta(minutes=1))

    with connection.execute_wrapper(meanwhile(use, at=is_thought)):
        thoughts, run = asked(ada.sleep)
    assert (thoughts, run.state) == (1, "success")
    assert all(row.accessed_at == NIGHT - timedelta(minutes=1) for row in ada.nodes().values())


@pytest.mark.django_db
def test_what_was_forgotten_meanwhile_is_in_no_insight(ada):
    """The batch is read and thought out anew without it."""
    nodes = ada.say([*MOSES, *HANDBALL], salience=0.8)

    def forget() -> None:
        ada.set(nodes[:1], removed_at=NIGHT, content_until=NIGHT)

    with connection.execute_wrapper(meanwhile(forget, at=is_thought)):
        thoughts, run = asked(ada.sleep)
    assert (thoughts, run.state, run.processed) == (2, "success", 5)
    assert "Moses" not in "\n".join(text for text in ada.active().values() if "kitten" in text)
    assert str(nodes[0]) not in [node for change in ada.changes("consolidated") for node in change.node_ids]


@pytest.mark.django_db
@pytest.mark.spec("I7")
def test_memory_that_was_switched_off_meanwhile_is_not_written_to(db):
    """Once the switch has returned nothing changes, whatever was thought out before."""
    access = make_access("ada")
    ada = Sleeper(access)
    ada.say(MOSES, salience=0.8)
    before = ada.look(versions=True)

    def switch_off() -> None:
        switch_memory(access.person, on=False, key=None, now=NIGHT)

    with connection.execute_wrapper(meanwhile(switch_off, at=is_thought)):
        run = ada.sleep()
    assert (run.state, run.processed, run.provider) == ("success", 0, "")
    assert ada.look(versions=True) == before and ada.next_sleep_at() is None


@pytest.mark.django_db
def test_a_compression_in_between_is_slept_over_as_it_left_it(ada):
    """What was merged meanwhile is read again as what it became."""
    ada.say(MOSES, edges=[(0, 1, "RELATES_TO", 0.9), (0, 2, "RELATES_TO", 0.9), (1, 2, "RELATES_TO", 0.9)])
    with connection.execute_wrapper(meanwhile(lambda: ada.compress(now=NIGHT), at=is_thought)):
        thoughts, run = asked(ada.sleep)
    assert (thoughts, run.state, run.processed) == (2, "success", 1)


@pytest.mark.django_db
def test_a_memory_that_never_rests_is_given_up_and_says_so(ada):
    """After so many readings the try has failed, and the next one comes by the clock."""
    nodes = ada.say([f"Goal {number} was scored by player {number}" for number in range(9)])
    left = iter(nodes)

    def forget() -> None:
        ada.set([next(left)], removed_at=NIGHT)

    with connection.execute_wrapper(meanwhile(forget, at=is_thought, times=9)):
        run = ada.sleep()
    assert (run.state, run.error) == ("failed", "sleep.never-at-rest")
    assert ada.changes("consolidated") == []
    assert ada.next_sleep_at() == NIGHT + timedelta(minutes=5)


@pytest.mark.django_db
def test_a_run_that_was_taken_over_is_not_ended_by_who_had_it(ada, settings):
    """The first worker was taken for dead; what it thought out is thrown away, and the second one's is written."""
    ada.say(MOSES, salience=0.8)
    later = NIGHT + timedelta(seconds=settings.JOB_TIMEOUT_S + 1)
    run = begin_run(ada.space, trigger="scheduled", now=NIGHT)

    def take_over() -> None:
        assert claim(ada.space, run.pk, now=later) is not None

    with connection.execute_wrapper(meanwhile(take_over, at=is_thought)):
        sleep(ada.space, run.pk, key=ada.key, now=NIGHT, queue=False)
    (row,) = ada.runs()
    assert (row.state, row.started_at, row.attempt) == ("running", later, 2)
    assert ada.changes("consolidated") == []
    again = later + timedelta(seconds=settings.JOB_TIMEOUT_S + 1)
    assert sleep(ada.space, run.pk, key=ada.key, now=again, queue=False).state == "success"


@pytest.mark.slow
@pytest.mark.django_db
@cases(
    "statement",
    [
        'UPDATE "memory_memorynode"',
        'INSERT INTO "memory_memorychange"',
        'UPDATE "memory_sleeprun"',
        'UPDATE "vault_space"',
        'INSERT INTO "audit_auditevent"',
        'INSERT INTO "memory_sleeprun"',
    ],
)
def test_killed_in_the_middle_of_writing_it_has_written_nothing(ada, statement):
    """Wherever the writing breaks off, not a row of the graph is another; the next worker carries the run out."""
    said = []
    for session in range(4):
        texts = [f"{text} ({session})" for text in [*MOSES, *HANDBALL]]
        edges = [(0, 1, "RELATES_TO", 0.5)]
        said += ada.say(texts, edges=edges, salience=0.8, at=NOW, conversation_id=new_id())
    before = ada.look(versions=True)
    run = begin_run(ada.space, trigger="scheduled", now=NIGHT)
    with killed_at(statement):
        sleep(ada.space, run.pk, key=ada.key, now=NIGHT, queue=False)
    assert ada.look(versions=True) == before
    runs = ada.sleep_through(now=NIGHT + timedelta(hours=1))
    assert {each.state for each in runs} == {"success"} and sum(each.processed for each in runs) == len(said)
    with space_scope(ada.space):
        assert (
            not MemoryNode.objects.for_space(ada.space).active().filter(slept_over_at__isnull=True).exists()
        )


@cases(
    "statement",
    [
        'INSERT INTO "memory_memorynode"',
        'INSERT INTO "memory_memorysource"',
        'INSERT INTO "memory_memoryvector"',
        'DELETE FROM "memory_memoryedge"',
    ],
)
def test_killed_while_an_insight_is_written_nothing_is(ada, statement):
    """What a model made of several memories stands in their place whole, or not at all."""
    said = ada.say(MOSES, edges=[(0, 1, "RELATES_TO", 0.5)], salience=0.8)
    before = ada.look(versions=True)
    insight = ada.insight(said, "Moses the kitten is two and sleeps on the radiator.")
    with killed_at(statement, once_locked=False):
        ada.write([insight])
    assert ada.look(versions=True) == before
    assert ada.write([insight]).created == 1
