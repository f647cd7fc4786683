"""One compression at a time: asked for, carried out, killed, taken up again, given up."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django_q.models import OrmQ

from companion_site.accounts.services import switch_memory
from companion_site.audit.models import AuditEvent
from companion_site.errors import BoxBroken
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, MemoryNode, MemorySource, MemoryVector
from memory.student.compression.run import (
    awaits_compression,
    begin_run,
    compress,
    compress_if_needed,
    is_due,
    request_compression,
)
from memory.student.errors import CannotUndo
from memory.student.params import COMPRESSION
from memory.student.store import purge_tombstones, touch
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.live import run_jobs
from tests.memory.student.kept import EVENING, LATER, MORNING, Kept, busy_memory, dense
from tests.racing import at_once, killed_at, meanwhile
from tests.refusals import refused

pytestmark = pytest.mark.spec("G5")


@pytest.mark.spec("G6")
def test_the_worker_carries_it_out(kept):
    """From the request to the record, by the job alone; then the next one can be asked for."""
    kept.say(MORNING, edges=dense(3))
    with unlocked(kept.space, kept.key):
        run = request_compression(kept.space, trigger="requested", now=datetime.now(tz=NOW.tzinfo))
        assert run_jobs() == 1
        with space_scope(kept.space):
            assert CompressionRun.objects.for_space(kept.space).get(pk=run.pk).state == "done"
            assert not awaits_compression(kept.space)
        assert request_compression(kept.space, trigger="requested", now=NOW).pk != run.pk
    assert len(kept.active()) == 1


@pytest.mark.spec("G6")
def test_without_the_key_it_waits_for_the_next_unlock(kept):
    """Nothing is queued, the space says that work is due, and the run says that it waits."""
    run = request_compression(kept.space, trigger="session_end", now=NOW)
    assert (run.state, OrmQ.objects.count()) == ("waiting", 0)
    assert Space.objects.get(pk=kept.space).awaiting_key_since == NOW


@pytest.mark.spec("G6")
def test_more_memories_than_allowed_ask_for_a_compression(kept):
    """Above the bound, once; one that could not help is not asked for again until a tenth more has come."""
    few = replace(COMPRESSION, max_nodes=3)
    kept.say(MORNING)
    with unlocked(kept.space, kept.key):
        assert compress_if_needed(kept.space, now=NOW, params=few) is None
        kept.say(["My cousin has 12 hens"])
        run = compress_if_needed(kept.space, now=NOW, params=few)
        assert run.trigger == "too_many"
        with space_scope(kept.space):
            CompressionRun.objects.for_space(kept.space).filter(pk=run.pk).update(
                state="done", after={"nodes": 4}
            )
        assert compress_if_needed(kept.space, now=NOW, params=few) is None
        kept.say(["My uncle has 15 goats"])
        assert compress_if_needed(kept.space, now=NOW, params=few) is not None


@pytest.mark.spec("G6")
def test_a_session_that_left_nothing_new_needs_no_compression(kept):
    """At the end of a session there is something to do only where memories have formed since the last one."""

    def due() -> bool:
        with space_scope(kept.space):
            return is_due(kept.space)

    assert not due()
    kept.say(MORNING[:1])
    assert due()
    kept.compress()
    assert not due()
    kept.say(EVENING[:1], at=LATER + timedelta(minutes=1))
    assert due()


@pytest.mark.spec("I7")
@cases(("trigger", "state"), [("too_many", "failed"), ("requested", "done")])
def test_with_memory_off_nothing_is_compressed_but_by_hand(db, trigger, state):
    """What was asked for by the clock before the switch writes nothing after it; a person may still clean up."""
    access = make_access("ada")
    kept = Kept(access)
    kept.say(MORNING, edges=dense(3))
    run = begin_run(kept.space, trigger=trigger, now=LATER)
    switch_memory(access.person, on=False, key=None, now=LATER)
    before = kept.look(versions=True)
    assert compress(kept.space, run.pk, key=kept.key, now=LATER).state == state
    assert (kept.look(versions=True) == before) is (state == "failed")


def test_a_run_whose_worker_died_is_taken_up_again(kept, settings):
    """After the time that a job may take, whoever comes next carries it on; what was half done is nowhere."""
    kept.say(MORNING, edges=dense(3))
    from memory.student.compression.run import claim

    run = begin_run(kept.space, trigger="requested", now=NOW)
    claim(kept.space, run.pk, now=NOW)
    soon = NOW + timedelta(seconds=settings.JOB_TIMEOUT_S - 1)
    with unlocked(kept.space, kept.key):
        request_compression(kept.space, trigger="requested", now=soon)
        assert OrmQ.objects.count() == 0
        assert request_compression(kept.space, trigger="requested", now=LATER).pk == run.pk
    assert OrmQ.objects.count() == 1
    assert compress(kept.space, run.pk, key=kept.key, now=LATER).state == "done"
    assert len(kept.active()) == 1


@cases(
    "statement",
    [
        'UPDATE "memory_memorynode"',
        'INSERT INTO "memory_memorynode"',
        'INSERT INTO "memory_memorysource"',
        'INSERT INTO "memory_memoryvector"',
        'DELETE FROM "memory_memoryedge"',
        'INSERT INTO "memory_memorychange"',
        'UPDATE "memory_compressionrun"',
        'INSERT INTO "audit_auditevent"',
    ],
)
def test_killed_in_the_middle_of_writing_it_has_written_nothing(kept, statement):
    """Wherever the writing breaks off, not a row of the graph is another; the next worker carries the run out."""
    busy_memory(kept)
    before = kept.look(versions=True)
    run = begin_run(kept.space, trigger="requested", now=LATER)
    with killed_at(statement):
        compress(kept.space, run.pk, key=kept.key, now=LATER)
    assert kept.look(versions=True) == before
    again = LATER + timedelta(hours=1)
    assert compress(kept.space, run.pk, key=kept.key, now=again).state == "done"
    assert len(kept.active()) == 2


def is_progress(sql: str, params: object) -> bool:
    return sql.startswith('UPDATE "memory_compressionrun"') and "progress" in sql


def test_what_changes_while_it_thinks_is_not_overwritten(kept):
    """A memory that was used in between keeps its new weight: all is read and thought out anew."""
    nodes = kept.say(MORNING, edges=dense(3))
    run = begin_run(kept.space, trigger="requested", now=LATER)

    def use() -> None:
        touch(kept.space, nodes[:1], now=LATER - timedelta(minutes=1))

    with connection.execute_wrapper(meanwhile(use, at=is_progress, times=2)):
        done = compress(kept.space, run.pk, key=kept.key, now=LATER)
    assert done.state == "done"
    (merged,) = kept.nodes(removed_at=None).values()
    assert merged.accessed_at == LATER - timedelta(minutes=1)


def test_a_memory_that_never_rests_is_given_up_and_says_so(kept):
    """After so many tries the run has failed, nothing is changed, and a new one can be asked for."""
    kept.say(MORNING, edges=dense(3))
    run = begin_run(kept.space, trigger="requested", now=LATER)
    params = replace(COMPRESSION, most_tries=1)

    def talk() -> None:
        kept.say([f"Number {new_id()} came by"])

    with connection.execute_wrapper(meanwhile(talk, at=is_progress, times=9)):
        failed = compress(kept.space, run.pk, key=kept.key, now=LATER, params=params)
    assert (failed.state, failed.finished_at) == ("failed", LATER)
    assert kept.changes("merged") == []
    assert begin_run(kept.space, trigger="requested", now=LATER).pk != run.pk


def test_a_run_that_breaks_says_so(kept):
    """An error goes on to the worker's log; the record says that the run has failed."""
    run = begin_run(kept.space, trigger="requested", now=LATER)
    kept.spoil(kept.say(MORNING)[0])
    with pytest.raises(BoxBroken):
        compress(kept.space, run.pk, key=kept.key, now=LATER)
    with space_scope(kept.space):
        assert CompressionRun.objects.for_space(kept.space).get(pk=run.pk).state == "failed"


def test_the_content_of_what_was_removed_goes_after_thirty_days(committed):
    """Words, vectors and speakers go without a key; id, times, hash and what it became stay."""
    kept, elsa = Kept(make_access("ada")), Kept(make_access("elsa"))
    nodes = kept.say(MORNING, edges=dense(3), speaker="Fatima")
    elsa.say(EVENING, edges=dense(3))
    kept.compress(), elsa.compress(now=LATER + timedelta(days=1))
    (change,) = kept.changes("merged")
    assert purge_tombstones(now=LATER + timedelta(days=30, seconds=-1)) == 0
    assert purge_tombstones(now=LATER + timedelta(days=30)) == 3
    assert purge_tombstones(now=LATER + timedelta(days=30)) == 0
    with space_scope(kept.space), unlocked(kept.space, kept.key):
        tombs = MemoryNode.objects.for_space(kept.space).filter(pk__in=nodes)
        assert {(tomb.content, tomb.merged_into_id is None) for tomb in tombs} == {(None, False)}
        assert all(any(bytes(tomb.content_hash)) and tomb.removed_at == LATER for tomb in tombs)
        assert not MemoryVector.objects.for_space(kept.space).filter(node_id__in=nodes).exists()
        assert {s.speaker for s in MemorySource.objects.for_space(kept.space).filter(node_id__in=nodes)} == {
            None
        }
        assert {s.speaker for s in MemorySource.objects.for_space(kept.space).exclude(node_id__in=nodes)} == {
            "Fatima"
        }
    assert len(kept.active()) == 1
    with refused(CannotUndo, "content-gone"):
        kept.restore(change)
    elsa.restore(elsa.changes("merged")[0])
    assert len(elsa.active()) == 3


def test_of_several_workers_at_once_one_carries_it_out(committed):
    """Asked for by several at the same moment there is one run, and it is written once."""
    kept = Kept(make_access("ada"))
    kept.say(MORNING, edges=dense(3))
    (run,) = set(at_once(*[lambda: begin_run(kept.space, trigger="requested", now=LATER).pk] * 3))
    at_once(*[lambda: compress(kept.space, run, key=kept.key, now=LATER)] * 3)
    assert len(kept.active()) == len(kept.changes("merged")) == 1
    assert AuditEvent.objects.filter(chain=kept.space, action="memory.compressed").count() == 1
