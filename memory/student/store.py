"""What all that writes a student's memory has in common: rows of memories, how present they are, their edges, which of them nothing
changes by itself, and the changes that can be undone.

The caller holds the space's lock and transaction, but for `touch` and what drops words whose days are over; where words are read, the space is unlocked.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db import models

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault.columns import set_each
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from ledger.entries import live_sources
from memory.algorithms.decay import boost_gravity, decay_gravity
from memory.models import (
    Contradiction,
    LifeFact,
    MemoryChange,
    MemoryEdge,
    MemoryNode,
    MemorySource,
    MemoryVector,
)
from memory.student.entities import drop_unmentioned
from memory.student.errors import CannotUndo

#: how long the words of what is removed are kept, so that it can be had back
KEPT = timedelta(days=settings.TOMBSTONE_DAYS)
#: rows of one statement
BATCH = 500
#: how often a memory may have become part of another one before it is given up
LONGEST_WAY = 32
#: source, target, type, weight
NewEdge = tuple[UUID, UUID, str, float]


def load_active(space: UUID, node: UUID) -> MemoryNode | None:
    """Return a memory if it is believed now."""
    return MemoryNode.objects.for_space(space).active().filter(pk=node).first()


def find_believed(space: UUID, digest: bytes) -> MemoryNode | None:
    """Return the memory of these words, by their hash, if one is believed now."""
    return MemoryNode.objects.for_space(space).active().filter(content_hash=digest).first()


def follow_merged(
    space: UUID, became: Mapping[UUID, UUID], *, may_be_superseded: bool = False
) -> dict[UUID, UUID]:
    """Return what each memory has become by now; those are left out that became nothing that is still there.

    Args:
        became: by memory, what it became at first; itself where it may still be there.
    """
    ahead, found = dict(became), dict[UUID, UUID]()
    for _ in range(LONGEST_WAY):
        if not ahead:
            break
        rows = MemoryNode.objects.for_space(space).filter(pk__in=set(ahead.values()))
        if not may_be_superseded:
            rows = rows.filter(superseded_at__isnull=True)
        known = {pk: ends for pk, *ends in rows.values_list("pk", "removed_at", "merged_into_id")}
        following = {}
        for node, at in ahead.items():
            removed, into = known.get(at, (True, None))
            if removed is None:
                found[node] = at
            elif into is not None:
                following[node] = into
        ahead = following
    return found


def bury(space: UUID, nodes: Collection[UUID], *, version: int, now: datetime) -> None:
    """Leave tombstones, whose words go when the days to undo it are over."""
    rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes)
    rows.update(removed_at=now, content_until=now + KEPT, version=version)


def supersede(space: UUID, node: UUID, *, by: UUID, version: int, now: datetime) -> None:
    """Let one memory take another's place, which stays as history."""
    rows = MemoryNode.objects.for_space(space).filter(pk=node)
    rows.update(superseded_at=now, superseded_by=by, version=version)


def put_away(
    space: UUID,
    node: MemoryNode,
    why: str,
    *,
    before: dict[str, Any] | None = None,
    now: datetime,
    actor: models.Model | None = None,
) -> MemoryChange:
    """Remove one memory: nothing finds it any more, and it can be had back while its words are kept."""
    bury(space, [node.pk], version=bump_version(space), now=now)
    change = note_change(space, MemoryChange.Kind.FORGOTTEN, why, [node.pk], before=before, now=now)
    record_event("memory.forgotten", chain=space, actor=actor, subject=node, data={"why": why}, now=now)
    return change


def believe_again(space: UUID, node: MemoryNode | None, *, version: int) -> None:
    """Let what was retired or removed hold again.

    Raises:
        CannotUndo: there is no such memory, its words are gone, or something else says the same by now.
    """
    if node is None or node.content is None:
        raise CannotUndo(why="words-gone")
    if find_believed(space, bytes(node.content_hash)) is not None:
        raise CannotUndo(why="held-again")
    node.removed_at = node.content_until = node.superseded_at = node.superseded_by = None
    node.version = version
    node.save(update_fields=["removed_at", "content_until", "superseded_at", "superseded_by", "version"])


def as_change(
    space: UUID,
    kind: MemoryChange.Kind,
    reason: str,
    nodes: Iterable[UUID],
    *,
    before: dict[str, Any] | None = None,
    now: datetime,
    **run: Any,
) -> MemoryChange:
    """Return the record by which a change can be undone, to be written.

    Args:
        before: what undoing needs to know.
        run: the clean-up or the sleep that made it.
    """
    ids = [str(node) for node in nodes]
    return MemoryChange(space_id=space, kind=kind, reason=reason, at=now, node_ids=ids, before=before, **run)


def note_change(
    space: UUID, kind: MemoryChange.Kind, reason: str, nodes: Sequence[UUID], **given: Any
) -> MemoryChange:
    """Write the record by which a change can be undone; arguments as of `as_change`."""
    change = as_change(space, kind, reason, nodes, **given)
    change.save(force_insert=True)
    return change


def vector_row(space: UUID, node: UUID, vector: np.ndarray, *, model: str) -> MemoryVector:
    """Return a memory's vector as a row to be written."""
    return MemoryVector(space_id=space, node_id=node, model=model, dimension=len(vector), vector=vector)


def edges_at(space: UUID, nodes: Collection[UUID]) -> models.QuerySet[MemoryEdge]:
    """Return the edges that lead to or from any of `nodes`. Inside the space's scope."""
    ends = models.Q(source_id__in=nodes) | models.Q(target_id__in=nodes)
    return MemoryEdge.objects.for_space(space).filter(ends)


def create_edges(space: UUID, edges: Iterable[NewEdge], *, version: int, now: datetime) -> list[MemoryEdge]:
    """Draw edges; what is drawn already stays as it is."""
    rows = [
        MemoryEdge(
            id=new_id(),
            space_id=space,
            source_id=source,
            target_id=target,
            type=kind,
            weight=weight,
            formed_at=now,
            version=version,
        )
        for source, target, kind, weight in edges
    ]
    return MemoryEdge.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)


def lead_on(edges: Iterable[MemoryEdge], into: Mapping[UUID, UUID]) -> list[NewEdge]:
    """Return the edges as they are after each end became what `into` says; of parallel ones the strongest."""
    strongest: dict[tuple[UUID, UUID, str], float] = {}
    for edge in edges:
        source, target = (into.get(end, end) for end in (edge.source_id, edge.target_id))
        if source != target:
            key = (source, target, edge.type)
            strongest[key] = max(strongest.get(key, 0.0), edge.weight)
    return [(*key, weight) for key, weight in strongest.items()]


def refresh_strength(space: UUID, nodes: Iterable[UUID]) -> None:
    """Set each node's strength to its summed edge weight w, normalised as w / (1 + w)."""
    weights = dict.fromkeys(nodes, 0.0)
    edges = edges_at(space, weights).order_by()
    for source, target, weight in edges.values_list("source_id", "target_id", "weight"):
        for node in {source, target} & weights.keys():
            weights[node] += weight
    set_each(MemoryNode, space, {node: w / (1 + w) for node, w in weights.items()}, field="strength")


def gravity_at(stored: Iterable[tuple[float, float, datetime]], *, now: datetime) -> np.ndarray:
    """Return (n,) gravity at `now` of what is stored: gravity, salience and the time of the last access of each."""
    rows = list(stored)
    return decay_gravity(
        [gravity for gravity, _, _ in rows],
        salience=[salience for _, salience, _ in rows],
        age_days=[(now - accessed_at).total_seconds() / 86_400 for _, _, accessed_at in rows],
    )


def touch(space: UUID, nodes: Sequence[UUID], *, now: datetime) -> None:
    """Note that memories were used: their clock starts again and their gravity rises."""
    if not nodes:
        return
    with write_scope(space):
        rows = MemoryNode.objects.for_space(space).active().filter(pk__in=nodes, accessed_at__lt=now)
        used = {pk: stored for pk, *stored in rows.values_list("pk", "gravity", "salience", "accessed_at")}
        if not used:
            return
        boosted = boost_gravity(gravity_at(used.values(), now=now)).tolist()
        set_each(MemoryNode, space, dict(zip(used, boosted, strict=True)), field="gravity")
        rows.filter(pk__in=used).update(accessed_at=now, version=bump_version(space))


def find_untouchable(space: UUID, *, now: datetime) -> frozenset[UUID]:
    """Return what the ledger holds, what speaks of danger, and what the person has yet to decide about, has put right, or
    wanted back.

    Inside the space's scope; needs no key.
    """
    nodes, changes, kind = (
        MemoryNode.objects.for_space(space),
        MemoryChange.objects.for_space(space),
        MemoryChange.Kind,
    )
    waiting = Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN)
    corrected = changes.filter(kind=kind.CORRECTED, undone_at__isnull=True)
    old = [ids[0] for ids in corrected.values_list("node_ids", flat=True)]
    put_right = nodes.filter(pk__in=old, superseded_by__isnull=False)
    # What the person took out of an insight or a merge again, or had back after it was let go.
    wanted = changes.filter(kind__in=(kind.CONSOLIDATED, kind.MERGED, kind.PRUNED), undone_at__isnull=False)
    return frozenset(
        {
            *live_sources(space, now=now),
            *nodes.active().filter(of_danger=True).values_list("pk", flat=True),
            *(node for pair in waiting.values_list("earlier_id", "later_id") for node in pair),
            *put_right.values_list("superseded_by_id", flat=True),
            *(UUID(node) for ids in wanted.values_list("node_ids", flat=True) for node in ids),
        }
    )


def purge_tombstones(*, now: datetime) -> int:
    """Drop the content of all tombstones whose time is over, in every space; return how many there were."""
    # Across spaces, so by the role that sees no content.
    rows = MemoryNode.objects.using("metadata").filter(removed_at__isnull=False, content_until__lte=now)
    spaces = list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())
    return sum(purge_space(space, now=now) for space in spaces)


def purge_space(space: UUID, *, now: datetime) -> int:
    """Drop the content of one space's tombstones whose time is over; return how many there were."""
    with write_scope(space):
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
