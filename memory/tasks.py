"""Background jobs of memory: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from companion_site.jobs import job
from companion_site.vault.leases import leased
from memory import compression
from memory.models import CompressionRun

PURPOSE = "memory.compression"


@job
def compress_space(space_id: str, run_id: str) -> None:
    """Carry out one compression, or note that the space must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=PURPOSE, now=now) as key:
        if key is not None:
            compression.compress(key.space, UUID(run_id), key=key, now=now)


@job
def compress_awaiting(space_id: str) -> None:
    """Carry out the compression that had to wait for the space's key."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=PURPOSE, now=now) as key:
        run = compression.find_open_run(UUID(space_id))
        if key is not None and run is not None:
            compression.compress(key.space, run, key=key, now=now)


@job
def compress_after_session(space_id: str) -> None:
    """Compress what a session has left, as at its end."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=PURPOSE, now=now) as key:
        if key is not None:
            run = compression.begin_run(key.space, trigger=CompressionRun.Trigger.SESSION_END, now=now)
            compression.compress(key.space, run.pk, key=key, now=now)


@job
def purge_tombstones() -> None:
    """Drop the content of what was removed more than its days ago."""
    compression.purge_tombstones(now=timezone.now())
