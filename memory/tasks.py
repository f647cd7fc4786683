"""Background jobs of memory: ids in, one service called, safe to run twice."""

from datetime import datetime
from uuid import UUID

from companion_site.jobs import job
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.leases import leased_job
from memory.models import CompressionRun
from memory.student import store
from memory.student.compression.run import begin_run, compress
from memory.student.runs import find_open
from memory.student.sleep import history, timing
from memory.student.sleep import run as running
from memory.student.sleep import store as sleep_store

PURPOSE, SLEEP = "memory.compression", "memory.sleep"

compress_space = leased_job(PURPOSE)(compress)
sleep_space = leased_job(SLEEP)(running.sleep)
queue_sleep = job(timing.queue_due)
expire_short_term = job(sleep_store.expire_short_term)
purge_sleep_history = job(history.purge_runs)
purge_tombstones = job(store.purge_tombstones)


@leased_job(PURPOSE)
def compress_awaiting(space: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Carry out the compression that had to wait for the space's key."""
    run = find_open(CompressionRun, space)
    if run is not None:
        compress(space, run.pk, key=key, now=now)


@leased_job(PURPOSE)
def compress_after_session(space: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Compress what a session has left, as at its end."""
    run = begin_run(space, trigger=CompressionRun.Trigger.SESSION_END, now=now)
    compress(space, run.pk, key=key, now=now)


@leased_job(SLEEP)
def sleep_awaiting(space: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Carry out the sleep that had to wait for the space's key."""
    run = timing.begin_due(space, now=now)
    if run is not None:
        running.sleep(space, run, key=key, now=now)
