"""Retiring one memory for another, and believing one again. The caller holds scope, lock and version."""

from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from memory.models import Contradiction, MemoryChange, MemoryEdge, MemoryNode
from memory.student.contradictions.errors import HeldAgain, WordsGone

#: A contradiction is as strong a tie as there is; it must be followed where the context is built.
EDGE_WEIGHT = 1.0


def load_active(space: UUID, node: UUID) -> MemoryNode | None:
    """Return a memory if it is believed now."""
    return MemoryNode.objects.for_space(space).active().filter(pk=node).first()


def find_believed(space: UUID, digest: bytes) -> MemoryNode | None:
    """Return the memory of these words, by their hash, if one is believed now."""
    return MemoryNode.objects.for_space(space).active().filter(content_hash=digest).first()


def believe_again(space: UUID, node: MemoryNode | None, *, version: int) -> None:
    """Let what was retired or removed hold again.

    Raises:
        WordsGone: there is no such memory, or its words are gone.
        HeldAgain: something else says the same by now.
    """
    if node is None or node.content is None:
        raise WordsGone()
    if find_believed(space, bytes(node.content_hash)) is not None:
        raise HeldAgain()
    node.removed_at = node.content_until = node.superseded_at = node.superseded_by = None
    node.version = version
    node.save(update_fields=["removed_at", "content_until", "superseded_at", "superseded_by", "version"])


def tie(space: UUID, *, earlier: UUID, later: UUID, version: int, now: datetime) -> None:
    """Draw the edge from the later memory to the earlier one, once."""
    MemoryEdge.objects.bulk_create(
        [
            MemoryEdge(
                space_id=space,
                source_id=later,
                target_id=earlier,
                type=MemoryEdge.Type.CONTRADICTS,
                weight=EDGE_WEIGHT,
                formed_at=now,
                version=version,
            )
        ],
        ignore_conflicts=True,
    )


def untie(space: UUID, *, earlier: UUID, later: UUID) -> None:
    """Take the edge away: both are true."""
    MemoryEdge.objects.for_space(space).filter(
        source_id=later, target_id=earlier, type=MemoryEdge.Type.CONTRADICTS
    ).delete()


def retire(
    space: UUID,
    loser: MemoryNode,
    *,
    winner: MemoryNode,
    contradiction: Contradiction,
    reason: str,
    version: int,
    now: datetime,
    actor: models.Model | None = None,
) -> MemoryChange:
    """Supersede `loser` by `winner`, which must be believed: there are never fewer current facts than before."""
    if winner.superseded_at is not None or winner.removed_at is not None or winner.pk == loser.pk:
        raise ValueError("only a memory that is believed can take another's place")
    loser.superseded_at, loser.superseded_by, loser.version = now, winner, version
    loser.save(update_fields=["superseded_at", "superseded_by", "version"])
    change = MemoryChange.objects.create(
        space_id=space,
        kind=MemoryChange.Kind.SUPERSEDED,
        reason=reason[:64],
        at=now,
        node_ids=[str(loser.pk), str(winner.pk)],
        before={"contradiction": str(contradiction.pk), "state": contradiction.state},
    )
    contradiction.state, contradiction.settled_at = Contradiction.State.RESOLVED, now
    contradiction.change = change
    contradiction.save(update_fields=["state", "settled_at", "change", "strategy"])
    data = {"by": str(winner.pk), "contradiction": str(contradiction.pk)}
    record_event("memory.superseded", chain=space, actor=actor, subject=loser, data=data, now=now)
    return change
