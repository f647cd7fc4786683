"""A compression from the asking to the end, one at a time for each space: read, think, write.

Reading and writing are two short transactions; thinking is in neither. What was thought out is written only if the
memory is still as it was read. Killed anywhere, a compression has written everything or nothing.
"""

from datetime import datetime
from hashlib import sha256
from uuid import UUID

import structlog

from companion_site.audit.services import record_event
from companion_site.embeddings.service import get_embedder
from companion_site.jobs import enqueue
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version, space_version
from memory.models import CompressionRun, MemoryChange, MemoryEdge, MemoryNode
from memory.student.compression.plan import Plan, think_out
from memory.student.compression.replacement import replace_memories
from memory.student.compression.selectors import Snapshot, read_snapshot
from memory.student.params import COMPRESSION, SpaceCompressionParams
from memory.student.runs import (
    create_run,
    find_open,
    is_claimed,
    is_stuck,
    let_worker_in,
    lock_run,
    note_progress,
    start_run,
)
from memory.student.sleep.timing import has_memory_on
from memory.student.store import BATCH, as_change

logger = structlog.get_logger(__name__)

FORM = "companion/memory-graph/1"
#: why a memory was pruned or merged, as its change says
FADED, DENSE = "below_noise_floor", "hang_together"
#: Share of a run that has passed when the memory has been read, and when all has been thought out.
READ, THOUGHT = 0.1, 0.8
#: Progress is told in steps of so much.
STEP = 0.05


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


def integrity_hash(space: UUID) -> str:
    """Return the SHA-256, in hex, of a space's nodes and edges as they are stored. Runs inside the space's scope."""
    digest = sha256(f"{FORM}\n{space.hex}\n".encode())
    nodes = MemoryNode.objects.for_space(space).order_by("id")
    for pk, content, superseded, removed, merged in nodes.values_list(
        "pk", "content_hash", "superseded_at", "removed_at", "merged_into_id"
    ):
        state = "removed" if removed else "superseded" if superseded else "active"
        into = merged.hex if merged else "-"
        digest.update(f"node {pk.hex} {bytes(content).hex()} {state} {into}\n".encode())
    edges = MemoryEdge.objects.for_space(space).order_by("source_id", "target_id", "type")
    for source, target, kind, weight in edges.values_list("source_id", "target_id", "type", "weight"):
        digest.update(f"edge {source.hex} {target.hex} {kind} {float(weight).hex()}\n".encode())
    return digest.hexdigest()


def compress(
    space: UUID,
    run: UUID,
    *,
    key: SpaceKey,
    now: datetime,
    params: SpaceCompressionParams = COMPRESSION,
) -> CompressionRun:
    """Carry out one compression that was asked for, once; return its record.

    A run that somebody else works on, or that has ended, is left alone.

    Raises:
        NotFound: the space has no such run.
    """
    row = claim(space, run, now=now)
    if row is None:
        with space_scope(space):
            return CompressionRun.objects.for_space(space).get(pk=run)
    try:
        with unlocked(space, key):
            done = any(_attempt(space, row, now=now, params=params) for _ in range(params.most_tries))
    except Exception:  # raised again; the page is told that it came to nothing
        _end(row, CompressionRun.State.FAILED, now=now)
        raise
    if not done:
        logger.warning("memory.compression_gave_up", run=str(run))
        _end(row, CompressionRun.State.FAILED, now=now)
    return row


def claim(space: UUID, run: UUID, *, now: datetime) -> CompressionRun | None:
    """Take a waiting compression to work on it, or one whose worker died; None where it is another's or ended.

    Raises:
        NotFound: the space has no such compression.
    """
    with space_scope(space):
        row = lock_run(CompressionRun, space, run, now=now)
        if row is not None:
            start_run(row, now=now)
        return row


def _attempt(space: UUID, run: CompressionRun, *, now: datetime, params: SpaceCompressionParams) -> bool:
    """Read, think and write once; return whether it is done, which it is not where the memory changed meanwhile."""

    def tell(share: float) -> None:
        if share >= run.progress + STEP:
            note_progress(run, share)

    embedder = get_embedder()
    with space_scope(space):
        snapshot = read_snapshot(space, model=embedder.model, now=now)
    tell(READ)
    plan = think_out(
        space,
        snapshot,
        embedder=embedder,
        tell=lambda share: tell(READ + (THOUGHT - READ) * share),
        max_nodes=params.max_nodes,
    )
    with write_scope(space):
        if not is_claimed(run):
            return True
        # With memory off nothing is compressed but what the person asks for by hand.
        if run.trigger != CompressionRun.Trigger.REQUESTED and not has_memory_on(space):
            _end(run, CompressionRun.State.FAILED, now=now)
            return True
        if space_version(space) != snapshot.version:
            return False
        _write(space, run, snapshot, plan, now=now)
        run.cycles, run.before, run.after, run.loss = plan.cycles, plan.before, plan.after, plan.loss
        run.integrity_hash, run.progress = integrity_hash(space), 1.0
        _end(run, CompressionRun.State.DONE, now=now)
        data = {
            "trigger": run.trigger,
            "pruned": len(plan.pruned),
            "merged": sum(len(merge.members) for merge in plan.merges),
            "into": len(plan.merges),
            "before": plan.before,
            "after": plan.after,
            "integrity_hash": run.integrity_hash,
        }
        record_event("memory.compressed", chain=space, subject=run, data=data, now=now)
    return True


def _write(space: UUID, run: CompressionRun, snapshot: Snapshot, plan: Plan, *, now: datetime) -> None:
    """Write what a compression does to the graph. The caller holds the space's lock and transaction.

    Of a pruned or merged memory a tombstone stays, with its content until the days to undo it are over.
    """
    if not (plan.pruned or plan.merges):
        return
    pruned = [snapshot.nodes[row] for row in plan.pruned]
    before = replace_memories(
        space,
        plan.merges,
        also_gone=[node.pk for node in pruned],
        edges=snapshot.edges,
        new_edges=plan.new_edges,
        model=snapshot.model,
        version=bump_version(space),
        now=now,
    )
    changes = [
        as_change(space, MemoryChange.Kind.PRUNED, FADED, [node.pk], before=before[node.pk], now=now, run=run)
        for node in pruned
    ]
    changes += [
        as_change(
            space,
            MemoryChange.Kind.MERGED,
            DENSE,
            each.members,
            before=before[each.node.pk],
            now=now,
            run=run,
        )
        for each in plan.merges
    ]
    MemoryChange.objects.bulk_create(changes, batch_size=BATCH)


def _end(run: CompressionRun, state: CompressionRun.State, *, now: datetime) -> None:
    """Say on the record how it ended, unless somebody has taken the run over."""
    with space_scope(run.space_id):
        if is_claimed(run):
            run.state, run.finished_at = state, now
            run.save()
