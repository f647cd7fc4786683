"""Asking for a compression: one at a time for each space, by whomever it is asked."""

from datetime import datetime
from uuid import UUID

from companion_site.jobs import enqueue
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, MemoryNode
from memory.student.compression.params import COMPRESSION, SpaceCompressionParams
from memory.student.runs import create_run, find_open, is_stuck, let_worker_in
from memory.student.sleep.timing import has_memory_on


def request_compression(
    space: UUID, *, trigger: CompressionRun.Trigger | str, now: datetime
) -> CompressionRun:
    """Return the compression of `space` that waits or runs; a new one, queued, where there is none.

    Where the worker cannot be given the key, the space notes that work is due, and the next unlock queues it.
    """
    with space_scope(space):
        run = find_open(CompressionRun, space)
        if run is None or is_stuck(run, now=now):
            run = run or create_run(CompressionRun, space, trigger=trigger, requested_at=now)
            if let_worker_in(space, now=now):
                enqueue("memory.tasks.compress_space", space, run.pk)
        return run


def begin_run(space: UUID, *, trigger: CompressionRun.Trigger | str, now: datetime) -> CompressionRun:
    """Return the compression of `space` that waits or runs, made where there is none; the caller carries it out."""
    with space_scope(space):
        run = find_open(CompressionRun, space)
        return run or create_run(CompressionRun, space, trigger=trigger, requested_at=now)


def compress_if_needed(
    space: UUID, *, now: datetime, params: SpaceCompressionParams = COMPRESSION
) -> CompressionRun | None:
    """Ask for a compression where there are more than `params.max_nodes` active memories; None where there are not.

    One that could not get the space below its bound is not asked for again until a tenth more has come.
    """
    with space_scope(space):
        count = MemoryNode.objects.for_space(space).active().count()
        last = _last_done(space)
    left = last.after.get("nodes", 0) if last is not None else 0
    if count <= params.max_nodes or count <= left * params.growth:
        return None
    return request_compression(space, trigger=CompressionRun.Trigger.TOO_MANY, now=now)


def awaits_compression(space: UUID) -> bool:
    """Tell whether a compression of `space` waits or runs; needs no key."""
    return find_open(CompressionRun, space) is not None


def is_due(space: UUID) -> bool:
    """Tell whether memories have formed since the last compression of `space`. Runs inside its scope; needs no key."""
    if not has_memory_on(space):
        return False
    last = _last_done(space)
    nodes = MemoryNode.objects.for_space(space).active()
    return nodes.filter(formed_at__gt=last.requested_at).exists() if last is not None else nodes.exists()


def _last_done(space: UUID) -> CompressionRun | None:
    rows = CompressionRun.objects.for_space(space).filter(state=CompressionRun.State.DONE)
    return rows.order_by("-id").first()
