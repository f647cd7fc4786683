"""Which memories nothing changes by itself: neither sleep nor compression takes them into another or lets them go."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from ledger.selectors import live_sources
from memory.models import Contradiction, MemoryChange, MemoryNode

_KIND = MemoryChange.Kind


def find_untouchable(space: UUID, *, now: datetime) -> frozenset[UUID]:
    """Return what the ledger holds, what speaks of danger, and what the person has yet to decide about, has put right, or
    wanted back.

    Inside the space's scope; needs no key.
    """
    active = MemoryNode.objects.for_space(space).active()
    return frozenset(
        {
            *live_sources(space, now=now),
            *active.filter(of_danger=True).values_list("pk", flat=True),
            *_under_review(space),
            *_put_right(space),
            *_wanted_back(space),
        }
    )


def _under_review(space: UUID) -> Iterable[UUID]:
    waiting = Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN)
    pairs: QuerySet = waiting.values_list("earlier_id", "later_id")
    return (node for pair in pairs for node in pair)


def _put_right(space: UUID) -> Iterable[UUID]:
    """Return what holds in the place of memories that the person corrected."""
    corrected = MemoryChange.objects.for_space(space).filter(kind=_KIND.CORRECTED, undone_at__isnull=True)
    old = [nodes[0] for nodes in corrected.values_list("node_ids", flat=True)]
    rows = MemoryNode.objects.for_space(space).filter(pk__in=old, superseded_by__isnull=False)
    return rows.values_list("superseded_by_id", flat=True)


def _wanted_back(space: UUID) -> Iterable[UUID]:
    """Return the memories that the person took out of an insight or a merge again, or had back after they were let go."""
    undone = MemoryChange.objects.for_space(space).filter(
        kind__in=(_KIND.CONSOLIDATED, _KIND.MERGED, _KIND.PRUNED), undone_at__isnull=False
    )
    return (UUID(node) for nodes in undone.values_list("node_ids", flat=True) for node in nodes)
