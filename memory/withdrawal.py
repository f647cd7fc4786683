"""Withdrawing what was remembered of messages that stand in their conversation no more, and remembering it again.

Each memory is let go as one that was not meant: with a change that its person sees and can take back, and what the ledger
has of it goes and comes with it. The caller holds the space's lock, and has unlocked it.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.errors import CompanionError
from memory.correcting import take_back
from memory.exchange.store import let_go
from memory.models import MemoryChange, MemoryNode, MemorySource
from memory.undoing import undo_change

#: why a memory was let go: another version of its message stands in the conversation
ANOTHER_VERSION = "another_version"


def withdraw(space: UUID, messages: Collection[UUID], *, now: datetime, actor: models.Model) -> int:
    """Let go what came from these messages and from nowhere else; return how many memories. What they replaced holds again."""
    sources = MemorySource.objects.for_space(space)
    others = sources.exclude(source_id__in=messages).values("node_id")
    nodes = MemoryNode.objects.for_space(space).active().exclude(pk__in=others)
    ids = list(nodes.filter(sources__source_id__in=messages).distinct().values_list("pk", flat=True))
    for node in ids:
        replaced = MemoryChange.objects.for_space(space).filter(
            kind=MemoryChange.Kind.SUPERSEDED, node_ids__1=str(node), undone_at__isnull=True
        )
        for change in replaced.values_list("pk", flat=True):
            with suppress(CompanionError):  # what it replaced is said by something else, or gone
                undo_change(space, change, now=now, actor=actor)
        let_go(space, node, ANOTHER_VERSION, now=now)
    return len(ids)


def remember_again(space: UUID, messages: Collection[UUID], *, now: datetime, actor: models.Model) -> None:
    """Have what was withdrawn of these messages hold again, but for what is said by something else by now."""
    sources = MemorySource.objects.for_space(space).filter(source_id__in=messages)
    nodes = [str(node) for node in sources.values_list("node_id", flat=True)]
    changes = MemoryChange.objects.for_space(space).filter(
        kind=MemoryChange.Kind.FORGOTTEN,
        reason=ANOTHER_VERSION,
        node_ids__0__in=nodes,
        undone_at__isnull=True,
    )
    for change in changes.order_by("id").values_list("pk", flat=True):
        with suppress(CompanionError):
            take_back(space, change, now=now, actor=actor)
