"""Which memories nothing changes by itself: neither sleep nor compression takes them into another or lets them go."""

from datetime import datetime
from uuid import UUID

from ledger.entries import live_sources
from memory.models import Contradiction, MemoryChange, MemoryNode

_KIND = MemoryChange.Kind


def find_untouchable(space: UUID, *, now: datetime) -> frozenset[UUID]:
    """Return what the ledger holds, what speaks of danger, and what the person has yet to decide about, has put right, or
    wanted back.

    Inside the space's scope; needs no key.
    """
    nodes, changes = MemoryNode.objects.for_space(space), MemoryChange.objects.for_space(space)
    waiting = Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN)
    corrected = changes.filter(kind=_KIND.CORRECTED, undone_at__isnull=True)
    old = [ids[0] for ids in corrected.values_list("node_ids", flat=True)]
    put_right = nodes.filter(pk__in=old, superseded_by__isnull=False)
    # What the person took out of an insight or a merge again, or had back after it was let go.
    wanted = changes.filter(
        kind__in=(_KIND.CONSOLIDATED, _KIND.MERGED, _KIND.PRUNED), undone_at__isnull=False
    )
    return frozenset(
        {
            *live_sources(space, now=now),
            *nodes.active().filter(of_danger=True).values_list("pk", flat=True),
            *(node for pair in waiting.values_list("earlier_id", "later_id") for node in pair),
            *put_right.values_list("superseded_by_id", flat=True),
            *(UUID(node) for ids in wanted.values_list("node_ids", flat=True) for node in ids),
        }
    )
