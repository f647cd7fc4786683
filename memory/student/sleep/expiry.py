"""Short-term memories whose time is over: sleep found them of no lasting importance, and nobody has to have them any longer.

No key is needed: nothing is read. Of each a tombstone stays, with its content until the days to undo it are over. Its edges
stay where they are, since their record could not be sealed here; nothing leads on through a tombstone.
"""

from datetime import datetime, timedelta
from uuid import UUID

from companion_site.audit.services import record_event
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryChange, MemoryNode
from memory.querysets import NodeQuerySet
from memory.student.compression.replacement import bury
from memory.student.protection import find_untouchable
from memory.student.sleep.params import SLEEP
from memory.student.sleep.timing import has_memory_on

EXPIRED = "expired"


def expire_short_term(*, now: datetime) -> int:
    """Leave tombstones of all short-term memories that have expired, in every space whose memory is on; return of how many.

    What must not be touched stays until it may be: until the ledger's entry is over, or the person has decided.
    """
    spaces = filter(has_memory_on, _spaces_with_expired(now))
    return sum(_expire(space, now=now) for space in spaces)


def _spaces_with_expired(now: datetime) -> list[UUID]:
    # Across spaces, so by the role that sees no content.
    rows = MemoryNode.objects.using("metadata").filter(
        tier=MemoryNode.Tier.SHORT_TERM, removed_at__isnull=True, expires_at__lte=now
    )
    return list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())


def _expire(space: UUID, *, now: datetime) -> int:
    with space_scope(space):
        lock_space(space)
        expired = list(_expired(space, now=now).order_by("id").values_list("pk", flat=True))
        if expired:
            until = now + timedelta(days=SLEEP.tombstone_days)
            bury(space, expired, version=bump_version(space), now=now, until=until)
            MemoryChange.objects.bulk_create([_change(space, pk, now=now) for pk in expired])
            record_event("memory.expired", chain=space, data={"count": len(expired)}, now=now)
    return len(expired)


def _expired(space: UUID, *, now: datetime) -> NodeQuerySet:
    rows = MemoryNode.objects.for_space(space).exclude(pk__in=find_untouchable(space, now=now))
    return rows.filter(tier=MemoryNode.Tier.SHORT_TERM, removed_at__isnull=True, expires_at__lte=now)


def _change(space: UUID, node: UUID, *, now: datetime) -> MemoryChange:
    return MemoryChange(
        space_id=space, kind=MemoryChange.Kind.PRUNED, reason=EXPIRED, at=now, node_ids=[str(node)]
    )
