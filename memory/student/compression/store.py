"""Writing a thought-out compression: all of it in one short transaction, or nothing."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from companion_site.vault.services import bump_version
from memory.models import CompressionRun, MemoryChange, MemoryEdge, MemoryNode
from memory.student.compression.params import COMPRESSION, SpaceCompressionParams
from memory.student.compression.plan import Merge, Plan
from memory.student.compression.replacement import (
    BATCH,
    Replaced,
    Successor,
    describe_edge,
    make_successor,
    replace_memories,
)
from memory.student.compression.selectors import Snapshot

FADED, DENSE = "below_noise_floor", "hang_together"


def write_plan(
    space: UUID,
    run: CompressionRun,
    snapshot: Snapshot,
    plan: Plan,
    *,
    now: datetime,
    params: SpaceCompressionParams = COMPRESSION,
) -> None:
    """Write what a compression does to the graph. The caller holds the space's lock and transaction.

    Of a pruned or merged memory a tombstone stays, with its content until the days to undo it are over.
    """
    if not (plan.pruned or plan.merges):
        return
    pruned = [snapshot.nodes[row] for row in plan.pruned]
    merged = [_successor(space, snapshot, merge) for merge in plan.merges]
    replaced = replace_memories(
        space,
        merged,
        also_gone=[node.pk for node in pruned],
        edges=snapshot.edges,
        new_edges=plan.new_edges,
        model=snapshot.model,
        version=bump_version(space),
        now=now,
        until=now + timedelta(days=params.tombstone_days),
    )
    changes = [_pruned(run, node, replaced.before.get(node.pk, []), now=now) for node in pruned]
    changes += [_merged(run, successor, replaced, now=now) for successor in merged]
    MemoryChange.objects.bulk_create(changes, batch_size=BATCH)


def _successor(space: UUID, snapshot: Snapshot, merge: Merge) -> Successor:
    members = [snapshot.nodes[row] for row in merge.rows]
    first = members[0]
    slept = [member.slept_over_at for member in members if member.slept_over_at is not None]
    return make_successor(
        space,
        members,
        gravity=[snapshot.gravity[row] for row in merge.rows],
        sources=[snapshot.sources[row] for row in merge.rows],
        vector=merge.vector,
        id=merge.id,
        content=merge.text,
        content_hash=merge.digest,
        tier=first.tier,
        category=first.category,
        language=first.language,
        confidence=min(member.confidence for member in members),
        expires_at=first.expires_at,
        slept_over_at=min(slept) if len(slept) == len(members) else None,
    )


def _pruned(
    run: CompressionRun, node: MemoryNode, edges: Sequence[MemoryEdge], *, now: datetime
) -> MemoryChange:
    return MemoryChange(
        space_id=run.space_id,
        kind=MemoryChange.Kind.PRUNED,
        reason=FADED,
        at=now,
        node_ids=[str(node.pk)],
        before={"edges": [describe_edge(edge) for edge in edges]},
        run=run,
    )


def _merged(run: CompressionRun, successor: Successor, replaced: Replaced, *, now: datetime) -> MemoryChange:
    return MemoryChange(
        space_id=run.space_id,
        kind=MemoryChange.Kind.MERGED,
        reason=DENSE,
        at=now,
        node_ids=[str(member) for member in successor.members],
        before=replaced.describe(successor),
        run=run,
    )
