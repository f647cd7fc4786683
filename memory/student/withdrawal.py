"""Withdrawing what was remembered of messages that stand in their conversation no more, or are removed with an import, and remembering it again.

Each memory is let go as one that was not meant: with a change that its person sees and can take back, and what the ledger
has of it goes and comes with it. The caller holds the space's lock, and has unlocked it.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet

from companion_site.errors import CompanionError
from memory.models import Contradiction, MemoryChange, MemoryNode, MemorySource
from memory.student.contradictions import retire
from memory.student.exchange.store import let_go
from memory.student.store import load_active
from memory.student.undo import undo_change

#: why a memory was let go: another version of its message stands in the conversation, its conversation was deleted, or the import
#: that brought it was removed
ANOTHER_VERSION, CONVERSATION_DELETED = "another_version", "conversation_deleted"
IMPORT_REMOVED = "import_removed"


def withdraw(
    space: UUID,
    messages: Collection[UUID] | QuerySet,
    *,
    why: str = ANOTHER_VERSION,
    at_most: int | None = None,
    now: datetime,
    actor: models.Model,
) -> int:
    """Let go what came from these messages and from nowhere else; return how many memories. What they replaced holds again.

    Args:
        at_most: so many at once; called again, it goes on with the others.
    """
    came = _find_all(space, messages)
    held = MemoryNode.objects.for_space(space).active().filter(pk__in=came)
    ids = list(held.values_list("pk", flat=True)[:at_most])
    for node in ids:
        for change in _replaced_by(space, node).filter(undone_at__isnull=True):
            if UUID(change.node_ids[0]) not in came:
                with suppress(CompanionError):  # what it replaced is said by something else, or gone
                    undo_change(space, change.pk, now=now, actor=actor)
        let_go(space, node, why, now=now)
    return len(ids)


def remember_again(
    space: UUID,
    messages: Collection[UUID] | QuerySet,
    *,
    why: str = ANOTHER_VERSION,
    now: datetime,
    actor: models.Model,
) -> None:
    """Have what was withdrawn of these messages hold again, but for what is said by something else by now."""
    nodes = [str(node) for node in _find_all(space, messages)]
    changes = MemoryChange.objects.for_space(space).filter(
        kind=MemoryChange.Kind.FORGOTTEN, reason=why, node_ids__0__in=nodes, undone_at__isnull=True
    )
    for change in changes.order_by("id"):
        with suppress(CompanionError):
            undo_change(space, change.pk, now=now, actor=actor)
            _replace_again(space, change, now=now, actor=actor)


def _find_all(space: UUID, messages: Collection[UUID] | QuerySet) -> set[UUID]:
    """Return every memory, held or not, that came from these messages alone: formed of them, put in the place of such by hand,
    or made of such by sleep or a clean-up.
    """
    sources = MemorySource.objects.for_space(space)
    others = sources.exclude(source_id__in=messages).values("node_id")
    formed = sources.filter(source_id__in=messages).exclude(node_id__in=others)
    found = latest = set(formed.values_list("node_id", flat=True))
    while latest:
        rows = MemoryNode.objects.for_space(space)
        before = rows.filter(Q(superseded_by=OuterRef("pk")) | Q(merged_into=OuterRef("pk")))
        heirs = rows.filter(Q(supersedes__in=latest) | Q(merged_from__in=latest), sources__isnull=True)
        heirs = heirs.exclude(pk__in=found).exclude(Exists(before.exclude(pk__in=found)))
        latest = set(heirs.values_list("pk", flat=True))
        found = found | latest
    return found


def _replaced_by(space: UUID, node: UUID) -> QuerySet[MemoryChange]:
    return MemoryChange.objects.for_space(space).filter(
        kind=MemoryChange.Kind.SUPERSEDED, node_ids__1=str(node)
    )


def _replace_again(space: UUID, change: MemoryChange, *, now: datetime, actor: models.Model) -> None:
    """Have a memory take the place again of what held again when it was withdrawn."""
    node = UUID(change.node_ids[0])
    for undone in _replaced_by(space, node).filter(undone_at=change.at):
        earlier, later = load_active(space, UUID(undone.node_ids[0])), load_active(space, node)
        known = (undone.before or {}).get("contradiction")
        row = Contradiction.objects.for_space(space).filter(pk=known).first()
        if earlier is None or later is None or row is None:
            continue
        reason = undone.reason
        retire(space, earlier, winner=later, contradiction=row, reason=reason, now=now, actor=actor)
