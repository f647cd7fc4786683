"""Taking back one change of a memory in one click, whatever made it. Twice is once.

Where the memory went on meanwhile, what comes back fits in: edges lead to what their other ends have become by now, and a
memory that was said again in the meantime stays the new one's.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from ledger.errors import EntryExists
from ledger.services import switch_entry
from memory.models import Contradiction, MemoryChange, MemoryEdge, MemoryNode, MemorySource
from memory.student.compression.replacement import copy_sources
from memory.student.contradictions import accept_both
from memory.student.errors import CannotUndo
from memory.student.sleep.timing import plan_left
from memory.student.store import believe_again, bury, edges_at, follow_merged, refresh_strength

_KIND = MemoryChange.Kind
BY_HAND = (_KIND.FORGOTTEN, _KIND.CORRECTED)


def undo_change(
    space: UUID, change_id: UUID, *, now: datetime, actor: models.Model | None = None
) -> MemoryChange:
    """Undo one change; of one that was undone already nothing changes. The space is unlocked by the caller.

    Raises:
        NotFound: the space has no such change.
        CannotUndo: it explains nothing any more, or was made by hand and is to be undone by nobody; the days in which it
            could be undone are over; what it made or moved was itself merged, pruned, forgotten or replaced since, or
            something else says the same by now.
    """
    with write_scope(space):
        change = MemoryChange.objects.for_space(space).find(pk=change_id)
        if change.undone_at is not None:
            return change
        data: dict[str, Any] = {}
        if change.kind in BY_HAND:
            if actor is None:
                raise CannotUndo()
            action = "memory.taken_back"
            _take_back(space, change, now=now, actor=actor)
        elif change.kind == _KIND.SUPERSEDED:
            action = "memory.change_undone"
            _unretire(space, change, now=now)
        else:
            action, data = "memory.restored", {"kind": change.kind, "nodes": len(change.node_ids)}
            _restore(space, change, now=now)
        plan_left(space, now=now)
        change.undone_at = now
        change.save(update_fields=["undone_at"])
        record_event(action, chain=space, actor=actor, subject=change, data=data, now=now)
        return change


def _take_back(space: UUID, change: MemoryChange, *, now: datetime, actor: models.Model) -> None:
    """Let a memory hold again that was forgotten or put right, with what the ledger had of it; what took its place goes."""
    version = bump_version(space)
    old, *newer = (UUID(node) for node in change.node_ids)
    rows = MemoryNode.objects.for_space(space)
    made = rows.filter(pk__in=newer)
    if made.filter(models.Q(superseded_at__isnull=False) | models.Q(merged_into__isnull=False)).exists():
        raise CannotUndo(why="change-buried")
    there = made.filter(removed_at__isnull=True).values_list("pk", flat=True)
    bury(space, list(there), version=version, now=now)
    node = rows.filter(pk=old).first()
    if node is not None and node.superseded_at is not None and node.removed_at is not None:
        raise CannotUndo(why="change-buried")
    believe_again(space, node, version=version)
    for entry in (change.before or {}).get("entries", ()):
        with suppress(EntryExists):
            switch_entry(space, UUID(entry), is_active=True, now=now, actor=actor)


def _unretire(space: UUID, change: MemoryChange, *, now: datetime) -> None:
    """Believe a retired memory again, beside the one that had taken its place.

    The contradiction is asked about again if the person had decided, and both are true if nobody had.
    """
    loser = MemoryNode.objects.for_space(space).filter(pk=UUID(change.node_ids[0])).first()
    if loser is not None and loser.removed_at is not None:
        raise CannotUndo(why="change-buried")
    if loser is not None and str(loser.superseded_by_id) != change.node_ids[1]:
        raise CannotUndo()
    believe_again(space, loser, version=bump_version(space))
    known = (change.before or {}).get("contradiction")
    row = Contradiction.objects.for_space(space).filter(pk=known).first()
    if row is not None and row.strategy == Contradiction.Strategy.MANUAL:
        row.state, row.settled_at = Contradiction.State.OPEN, None
        row.save(update_fields=["state", "settled_at"])
    elif row is not None:
        accept_both(space, row, now=now)


def _restore(space: UUID, change: MemoryChange, *, now: datetime) -> None:
    """Let hold again what a compression or a sleep pruned, merged or took in."""
    before = change.before or {}
    if change.kind == _KIND.CONSOLIDATED and "merged" not in before:
        # What sleep took in as it was is short-term again, as far as it is still believed.
        rows = MemoryNode.objects.for_space(space).active().filter(pk__in=change.node_ids)
        if not rows.exists():
            raise CannotUndo(why="change-buried")
        rows.update(
            tier=MemoryNode.Tier.SHORT_TERM,
            category=MemoryNode.Category.NONE,
            expires_at=None,
            slept_over_at=None,
            version=bump_version(space),
        )
        return
    ids = [UUID(node) for node in change.node_ids]
    members = list(MemoryNode.objects.for_space(space).filter(pk__in=ids).order_by("id"))
    if len(members) < len(ids) or any(member.content is None for member in members):
        raise CannotUndo(why="content-gone")
    merged = None
    if "merged" in before:
        merged = MemoryNode.objects.for_space(space).get(pk=UUID(before["merged"]))
        if merged.removed_at is not None or merged.superseded_at is not None:
            raise CannotUndo(why="change-buried")
    _Restoring(space, ids, now, bump_version(space)).run(members, merged, before)


@dataclass
class _Restoring:
    """Members of a change on their way back, and the memories whose edges change by it."""

    space: UUID
    ids: Sequence[UUID]
    now: datetime
    version: int
    touched: set[UUID] = field(default_factory=set)

    def run(self, members: Sequence[MemoryNode], merged: MemoryNode | None, before: dict) -> None:
        """Let buried memories hold again, in place of what had taken theirs."""
        heaviest = max(members, key=lambda member: (member.gravity, member.pk))
        if merged is not None:
            # Its words are its members' and need not be kept.
            merged.removed_at = merged.content_until = self.now
            merged.merged_into, merged.version = heaviest, self.version
            merged.save(update_fields=["removed_at", "content_until", "merged_into", "version"])
        for member in members:
            if str(member.pk) in before.get("unslept", ()):
                member.slept_over_at = None
            self._unbury(member)
        edges = before.get("edges", [])
        if merged is not None:
            known = {*before["created"], *(edge["id"] for edge in edges)}
            self._hand_over(merged.pk, heaviest.pk, known=known)
        self._create_edges(self._kept_edges(edges))
        refresh_strength(self.space, self.touched)
        MemoryNode.objects.for_space(self.space).filter(pk__in=self.touched).update(version=self.version)

    def _unbury(self, member: MemoryNode) -> None:
        """Let a memory hold again, unless one that says the same has taken its place."""
        same = MemoryNode.objects.for_space(self.space).active().exclude(pk=member.pk)
        same = same.filter(content_hash=bytes(member.content_hash))
        twin = same.first() if member.superseded_at is None else None
        member.version = self.version
        if member.expires_at is not None and member.expires_at <= self.now:
            member.expires_at = None  # The person wants it: it would go again with the day.
        if twin is None:
            member.removed_at = member.content_until = member.merged_into = None
            self.touched.add(member.pk)
        else:
            member.merged_into = twin
            self._copy_sources(member.pk, twin.pk, named_by=[twin.pk])
        member.save(
            update_fields=[
                "removed_at", "content_until", "merged_into", "expires_at", "slept_over_at", "version",
            ]
        )  # fmt: skip

    def _hand_over(self, merged: UUID, heir: UUID, *, known: set[str]) -> None:
        """Delete the merged node's edges; what came to it later goes to its heaviest member.

        Args:
            known: the edges that the merge made, and those of the members, which may lead here by now.
        """
        edges = list(edges_at(self.space, [merged]))
        self.touched |= {end for edge in edges for end in (edge.source_id, edge.target_id)} - {merged}
        MemoryEdge.objects.for_space(self.space).filter(pk__in=[edge.pk for edge in edges]).delete()
        standing = self._standing_for([heir]).get(heir)
        if standing is None:
            return
        later = [edge for edge in edges if str(edge.pk) not in known]
        for edge in later:
            edge.source_id = standing if edge.source_id == merged else edge.source_id
            edge.target_id = standing if edge.target_id == merged else edge.target_id
        self._create_edges(later)
        self._copy_sources(merged, standing, named_by=self.ids)

    def _copy_sources(self, node: UUID, heir: UUID, *, named_by: Sequence[UUID]) -> None:
        """Give a node's sources to another, as far as none of some memories names them already."""
        rows = MemorySource.objects.for_space(self.space)
        known = set(rows.filter(node_id__in=named_by).values_list("kind", "source_id", "start"))
        fresh = [
            row for row in rows.filter(node_id=node) if (row.kind, row.source_id, row.start) not in known
        ]
        MemorySource.objects.bulk_create(copy_sources(heir, fresh))

    def _kept_edges(self, described: Sequence[dict]) -> list[MemoryEdge]:
        """Return the edges as they were, each end led on to what it has become by now; none to what is gone."""
        standing = self._standing_for(UUID(edge[end]) for edge in described for end in ("source", "target"))
        return [
            MemoryEdge(
                id=UUID(edge["id"]),
                space_id=self.space,
                source_id=standing[UUID(edge["source"])],
                target_id=standing[UUID(edge["target"])],
                type=edge["type"],
                weight=edge["weight"],
                formed_at=datetime.fromisoformat(edge["formed_at"]),
            )
            for edge in described
            if UUID(edge["source"]) in standing and UUID(edge["target"]) in standing
        ]

    def _standing_for(self, nodes: Iterable[UUID]) -> dict[UUID, UUID]:
        return follow_merged(self.space, {node: node for node in nodes}, may_be_superseded=True)

    def _create_edges(self, edges: Sequence[MemoryEdge]) -> None:
        fit = [edge for edge in edges if edge.source_id != edge.target_id]
        for edge in fit:
            edge.version = self.version
            self.touched |= {edge.source_id, edge.target_id}
        MemoryEdge.objects.bulk_create(fit, ignore_conflicts=True)
