"""Asking for a compression: one at a time for each space, by whomever it is asked."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, models, transaction

from companion_site.errors import NotFound
from companion_site.jobs import enqueue
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, MemoryNode
from memory.student.compression.params import COMPRESSION, SpaceCompressionParams
from memory.student.runs import is_stuck, let_worker_in
from memory.student.sleep.timing import has_memory_on

OPEN = (CompressionRun.State.WAITING, CompressionRun.State.RUNNING)


def request_compression(
    space: UUID, *, trigger: CompressionRun.Trigger | str, now: datetime
) -> CompressionRun:
    """Return the compression of `space` that waits or runs; a new one, queued, where there is none.

    Where the worker cannot be given the key, the space notes that work is due, and the next unlock queues it.
    """
    with space_scope(space):
        run = _open_run(space)
        if run is None or is_stuck(run, now=now):
            run = run or _begin(space, trigger=trigger, now=now)
            if let_worker_in(space, now=now):
                enqueue("memory.tasks.compress_space", space, run.pk)
        return run


def begin_run(space: UUID, *, trigger: CompressionRun.Trigger | str, now: datetime) -> CompressionRun:
    """Return the compression of `space` that waits or runs, made where there is none; the caller carries it out."""
    with space_scope(space):
        return _open_run(space) or _begin(space, trigger=trigger, now=now)


def compress_if_needed(
    space: UUID, *, now: datetime, params: SpaceCompressionParams = COMPRESSION
) -> CompressionRun | None:
    """Ask for a compression where there are more than `params.max_nodes` active memories; None where there are not.

    One that could not get the space below its bound is not asked for again until a tenth more has come.
    """
    with space_scope(space):
        count = MemoryNode.objects.for_space(space).active().count()
        last = _runs(space).filter(state=CompressionRun.State.DONE).order_by("-id").first()
    left = last.after.get("nodes", 0) if last is not None else 0
    if count <= params.max_nodes or count <= left * params.growth:
        return None
    return request_compression(space, trigger=CompressionRun.Trigger.TOO_MANY, now=now)


def awaits_compression(space: UUID) -> bool:
    """Tell whether a compression of `space` waits or runs. Runs inside its scope; needs no key."""
    return _runs(space).filter(state__in=OPEN).exists()


def is_due(space: UUID) -> bool:
    """Tell whether memories have formed since the last compression of `space`. Runs inside its scope; needs no key."""
    if not has_memory_on(space):
        return False
    last = _runs(space).filter(state=CompressionRun.State.DONE).order_by("-id").first()
    nodes = MemoryNode.objects.for_space(space).active()
    return nodes.filter(formed_at__gt=last.requested_at).exists() if last is not None else nodes.exists()


def find_open_run(space: UUID) -> UUID | None:
    """Return the compression of `space` that waits or runs."""
    with space_scope(space):
        run = _open_run(space)
        return run.pk if run is not None else None


def claim(space: UUID, run: UUID, *, now: datetime) -> CompressionRun | None:
    """Take a waiting compression to work on it, or one whose worker died; None where it is another's or ended.

    Raises:
        NotFound: the space has no such compression.
    """
    with space_scope(space):
        row = _runs(space).filter(pk=run).select_for_update().first()
        if row is None:
            raise NotFound()
        if row.state not in OPEN or (
            row.state == CompressionRun.State.RUNNING and not is_stuck(row, now=now)
        ):
            return None
        row.state, row.started_at, row.progress = CompressionRun.State.RUNNING, now, 0.0
        row.save(update_fields=["state", "started_at", "progress"])
        return row


def _runs(space: UUID) -> models.QuerySet[CompressionRun]:
    return CompressionRun.objects.for_space(space)


def _open_run(space: UUID) -> CompressionRun | None:
    return _runs(space).filter(state__in=OPEN).first()


def _begin(space: UUID, *, trigger: str, now: datetime) -> CompressionRun:
    """Make a waiting compression; where somebody else did at the same moment, return theirs."""
    try:
        with transaction.atomic():
            return CompressionRun.objects.create(space_id=space, trigger=trigger, requested_at=now)
    except IntegrityError:
        return _runs(space).filter(state__in=OPEN).get()
