"""Structure over content: what a removed memory said goes when the days to have it back are over.

No key is needed: nothing is read. The id, the times, the hash and what it became stay.
"""

from datetime import datetime
from uuid import UUID

from companion_site.audit.services import record_event
from companion_site.vault.scope import lock_space, space_scope
from memory.models import LifeFact, MemoryNode, MemorySource, MemoryVector
from memory.student.entities.store import drop_unmentioned


def purge_tombstones(*, now: datetime) -> int:
    """Drop the content of all tombstones whose time is over, in every space; return how many there were."""
    return sum(purge_space(space, now=now) for space in _spaces_with_expired(now))


def _spaces_with_expired(now: datetime) -> list[UUID]:
    # Across spaces, so by the role that sees no content.
    rows = MemoryNode.objects.using("metadata").filter(removed_at__isnull=False, content_until__lte=now)
    return list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())


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
