"""Compressions seen from several connections at once, and what goes by the clock."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connections

from companion_site.audit.models import AuditEvent
from companion_site.jobs import declared_schedules
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import (
    CompressionRun,
    MemoryNode,
    MemorySource,
    MemoryVector,
)
from memory.student.compression.requests import begin_run
from memory.student.compression.run import compress
from memory.student.compression.store import purge_tombstones
from memory.student.errors import ContentGone
from tests.factories import make_access
from tests.memory.student.kept import EVENING, LATER, MORNING, Kept, dense

pytestmark = pytest.mark.spec("G5")


def test_two_at_once(committed):
    """Asked for by several at the same moment there is one run, and of several workers one carries it out."""
    ada = Kept(make_access("ada"))
    ada.say(MORNING, edges=dense(3))

    def ask(_) -> UUID:
        try:
            return begin_run(ada.space, trigger="requested", now=LATER).pk
        finally:
            connections.close_all()

    def work(run: UUID) -> None:
        try:
            compress(ada.space, run, key=ada.key, now=LATER)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        (run,) = set(pool.map(ask, range(3)))
        list(pool.map(work, [run] * 3))
    assert len(ada.active()) == 1
    assert len(ada.changes("merged")) == 1
    with space_scope(ada.space):
        assert AuditEvent.objects.filter(chain=ada.space, action="memory.compressed").count() == 1
        assert CompressionRun.objects.for_space(ada.space).get(pk=run).state == "done"


def test_the_content_of_what_was_removed_goes_after_thirty_days(committed):
    """Words, vectors and speakers go without a key; id, times, hash and what it became stay."""
    ada, elsa = Kept(make_access("ada")), Kept(make_access("elsa"))
    nodes = ada.say(MORNING, edges=dense(3), speaker="Fatima")
    elsa.say(EVENING, edges=dense(3))
    ada.compress(), elsa.compress(now=LATER + timedelta(days=1))
    (change,) = ada.changes("merged")
    assert purge_tombstones(now=LATER + timedelta(days=30, seconds=-1)) == 0
    assert purge_tombstones(now=LATER + timedelta(days=30)) == 3
    assert purge_tombstones(now=LATER + timedelta(days=30)) == 0
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        tombs = MemoryNode.objects.for_space(ada.space).filter(pk__in=nodes)
        assert {(tomb.content, tomb.merged_into_id is None) for tomb in tombs} == {(None, False)}
        assert all(any(bytes(tomb.content_hash)) and tomb.removed_at == LATER for tomb in tombs)
        assert not MemoryVector.objects.for_space(ada.space).filter(node_id__in=nodes).exists()
        assert {s.speaker for s in MemorySource.objects.for_space(ada.space).filter(node_id__in=nodes)} == {
            None
        }
        assert {s.speaker for s in MemorySource.objects.for_space(ada.space).exclude(node_id__in=nodes)} == {
            "Fatima"
        }
    assert len(ada.active()) == 1
    with pytest.raises(ContentGone):
        ada.restore(change)
    elsa.restore(elsa.changes("merged")[0])
    assert len(elsa.active()) == 3


def test_purging_is_scheduled_daily():
    """The site does it by itself."""
    (schedule,) = [each for each in declared_schedules() if each.task == "memory.tasks.purge_tombstones"]
    assert schedule.every_minutes == 24 * 60
