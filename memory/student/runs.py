"""What the runs of a compression and of a sleep have in common: one at a time for each space, and a worker that may die.

Both kinds of row have the same columns for it, and a constraint that allows one open run for each space.
"""

from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from companion_site.errors import SpaceLocked
from companion_site.vault import key_of
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.scope import space_scope
from companion_site.vault.services import await_key, grant_lease
from memory.models import CompressionRun, SleepRun
from memory.models.changes import Run

SomeRun = TypeVar("SomeRun", CompressionRun, SleepRun)


def find_open(Kind: type[SomeRun], space: UUID) -> SomeRun | None:
    """Return the run of `space` that waits or works; needs no key."""
    with space_scope(space):
        return Kind.objects.for_space(space).filter(state__in=Run.OPEN).first()


def create_run(Kind: type[SomeRun], space: UUID, **given: object) -> SomeRun:
    """Make a waiting run; where somebody else did at the same moment, return theirs."""
    try:
        with transaction.atomic():
            return Kind.objects.create(space_id=space, **given)
    except IntegrityError:
        return Kind.objects.for_space(space).filter(state__in=Run.OPEN).get()


def lock_run(Kind: type[SomeRun], space: UUID, run: UUID, *, now: datetime) -> SomeRun | None:
    """Return a run to be worked on, its row locked: one that waits, or whose worker died; None for any other.

    Raises:
        NotFound: the space has no such run.
    """
    row = Kind.objects.for_space(space).select_for_update().find(pk=run)
    is_free = row.state == Run.WAITING or (row.state == Run.RUNNING and is_stuck(row, now=now))
    return row if is_free else None


def start_run(run: Run, *, now: datetime) -> None:
    """Note that a worker has begun."""
    run.state, run.started_at, run.progress = Run.RUNNING, now, 0.0
    run.save()


def is_stuck(run: Run, *, now: datetime) -> bool:
    """Tell whether nobody works on an open run any more: its job has had all the time that a job may take."""
    return (run.started_at or run.requested_at) < now - timedelta(seconds=settings.JOB_TIMEOUT_S)


def is_claimed(run: Run) -> bool:
    """Tell whether whoever started a run still has it: nobody has taken it over. Inside the space's scope."""
    Kind = type(run)
    rows = Kind.objects.for_space(run.space_id).filter(pk=run.pk)
    return rows.filter(state=Run.RUNNING, started_at=run.started_at).exists()


def note_progress(run: Run, share: float) -> None:
    """Tell how far a run is, unless somebody has taken it over."""
    run.progress, Kind = share, type(run)
    with space_scope(run.space_id):
        rows = Kind.objects.for_space(run.space_id).filter(pk=run.pk, started_at=run.started_at)
        rows.update(progress=share)


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
