"""What the runs of a compression and of a sleep have in common: a worker that may die, and that needs the key."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from companion_site.errors import SpaceLocked
from companion_site.vault import key_of
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.services import await_key, grant_lease
from memory.models import CompressionRun, SleepRun


def is_stuck(run: CompressionRun | SleepRun, *, now: datetime) -> bool:
    """Tell whether nobody works on an open run any more: its job has had all the time that a job may take."""
    return (run.started_at or run.requested_at) < now - timedelta(seconds=settings.JOB_TIMEOUT_S)


def let_worker_in(space: UUID, *, now: datetime) -> bool:
    """Let the worker open `space`, where its key is at hand; where it is not, note that work waits for it."""
    try:
        key = key_of(space)
        is_open = isinstance(key, OpenSpaceKey) or grant_lease(key, now=now)
    except SpaceLocked:
        is_open = False
    if not is_open:
        await_key(space, now=now)
    return is_open
