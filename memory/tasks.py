"""Background jobs of memory: ids in, one service called, safe to run twice."""

from datetime import datetime
from uuid import UUID

from django.utils import timezone

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


@leased_job(PURPOSE)
def compress_space(key: SpaceKey, run: UUID, *, now: datetime) -> None:
    """Carry out one compression."""
    compress(key.space, run, key=key, now=now)


@leased_job(PURPOSE)
def compress_awaiting(key: SpaceKey, *, now: datetime) -> None:
    """Carry out the compression that had to wait for the space's key."""
    run = find_open(CompressionRun, key.space)
    if run is not None:
        compress(key.space, run.pk, key=key, now=now)


@leased_job(PURPOSE)
def compress_after_session(key: SpaceKey, *, now: datetime) -> None:
    """Compress what a session has left, as at its end."""
    run = begin_run(key.space, trigger=CompressionRun.Trigger.SESSION_END, now=now)
    compress(key.space, run.pk, key=key, now=now)


@job
def purge_tombstones() -> None:
    """Drop the content of what was removed more than its days ago."""
    store.purge_tombstones(now=timezone.now())


@job
def queue_sleep() -> None:
    """Queue the sleep of every space that is due."""
    timing.queue_due(now=timezone.now())


@leased_job(SLEEP)
def sleep_space(key: SpaceKey, run: UUID, *, now: datetime) -> None:
    """Carry out one run of a sleep."""
    running.sleep(key.space, run, key=key, now=now)


@leased_job(SLEEP)
def sleep_awaiting(key: SpaceKey, *, now: datetime) -> None:
    """Carry out the sleep that had to wait for the space's key."""
    run = timing.begin_due(key.space, now=now)
    if run is not None:
        running.sleep(key.space, run, key=key, now=now)


@job
def expire_short_term() -> None:
    """Let go of the short-term memories whose time is over."""
    sleep_store.expire_short_term(now=timezone.now())


@job
def purge_sleep_history() -> None:
    """Drop the records of sleeps that are older than their days."""
    history.purge_runs(now=timezone.now())
