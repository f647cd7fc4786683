"""Background jobs of memory: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from companion_site.jobs import job
from companion_site.vault.leases import leased
from memory.models import CompressionRun
from memory.student import store
from memory.student.compression.run import begin_run, compress
from memory.student.runs import find_open
from memory.student.sleep import history, timing
from memory.student.sleep import run as running
from memory.student.sleep import store as sleep_store

PURPOSE, SLEEP = "memory.compression", "memory.sleep"


@job
def compress_space(space_id: str, run_id: str) -> None:
    """Carry out one compression, or note that the space must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=PURPOSE, now=now) as key:
        if key is not None:
            compress(key.space, UUID(run_id), key=key, now=now)


@job
def compress_awaiting(space_id: str) -> None:
    """Carry out the compression that had to wait for the space's key."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=PURPOSE, now=now) as key:
        run = find_open(CompressionRun, UUID(space_id))
        if key is not None and run is not None:
            compress(key.space, run.pk, key=key, now=now)


@job
def compress_after_session(space_id: str) -> None:
    """Compress what a session has left, as at its end."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=PURPOSE, now=now) as key:
        if key is not None:
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


@job
def sleep_space(space_id: str, run_id: str) -> None:
    """Carry out one run of a sleep, or note that the space must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=SLEEP, now=now) as key:
        if key is not None:
            running.sleep(key.space, UUID(run_id), key=key, now=now)


@job
def sleep_awaiting(space_id: str) -> None:
    """Carry out the sleep that had to wait for the space's key."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=SLEEP, now=now) as key:
        run = timing.begin_due(UUID(space_id), now=now) if key is not None else None
        if key is not None and run is not None:
            running.sleep(key.space, run, key=key, now=now)


@job
def expire_short_term() -> None:
    """Let go of the short-term memories whose time is over."""
    sleep_store.expire_short_term(now=timezone.now())


@job
def purge_sleep_history() -> None:
    """Drop the records of sleeps that are older than their days."""
    history.purge_runs(now=timezone.now())
