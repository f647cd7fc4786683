"""Writing a thought-out compression, all of it or nothing; and dropping what removed memories said once their days are over."""

from datetime import datetime
from uuid import UUID

from companion_site.audit.services import record_event
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import (
    CompressionRun,
    LifeFact,
    MemoryChange,
    MemoryNode,
    MemorySource,
    MemoryVector,
)
from memory.student.compression.plan import Plan
from memory.student.compression.replacement import replace_memories
from memory.student.compression.selectors import Snapshot
from memory.student.entities import drop_unmentioned
from memory.student.store import BATCH, as_change

FADED, DENSE = "below_noise_floor", "hang_together"


def write_plan(
    space: UUID,
    run: CompressionRun,
    snapshot: Snapshot,
    plan: Plan,
    *,
    now: datetime,
) -> None:
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


def purge_tombstones(*, now: datetime) -> int:
    """Drop the content of all tombstones whose time is over, in every space; return how many there were."""
    # Across spaces, so by the role that sees no content.
    rows = MemoryNode.objects.using("metadata").filter(removed_at__isnull=False, content_until__lte=now)
    spaces = list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())
    return sum(purge_space(space, now=now) for space in spaces)


def purge_space(space: UUID, *, now: datetime) -> int:
    """Drop the content of one space's tombstones whose time is over; return how many there were."""
    with space_scope(space):
        lock_space(space)
        rows = MemoryNode.objects.for_space(space).filter(removed_at__isnull=False, content_until__lte=now)
        ids = list(rows.values_list("pk", flat=True))
        if ids:
            MemoryVector.objects.for_space(space).filter(node_id__in=ids).delete()
            MemorySource.objects.for_space(space).filter(node_id__in=ids).update(speaker=None)
            # What became part of another memory is still believed; of the rest nothing stands that it told.
            LifeFact.objects.for_space(space).filter(node_id__in=ids, node__merged_into__isnull=True).delete()
            rows.filter(pk__in=ids).update(content=None, content_until=None)
            drop_unmentioned(space)
            record_event("memory.content_dropped", chain=space, data={"count": len(ids)}, now=now)
    return len(ids)
