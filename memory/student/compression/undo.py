"""Taking back one thing that a compression or a sleep did: what it pruned, merged or took in is there again, as it was.

Where the memory went on meanwhile, what is restored fits in: edges lead to what their other ends have become by now,
and a memory that was said again in the meantime stays the new one's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryChange, MemoryEdge, MemoryNode, MemorySource
from memory.student.compression.replacement import copy_sources
from memory.student.errors import ChangeBuried, ContentGone
from memory.student.ingest.store import edges_at, refresh_strength
from memory.student.sleep.timing import plan_left

KINDS = (MemoryChange.Kind.PRUNED, MemoryChange.Kind.MERGED, MemoryChange.Kind.CONSOLIDATED)


def restore(
    space: UUID, change: "UUID | MemoryChange", *, now: datetime, actor: models.Model | None = None
) -> MemoryChange:
    """Undo one prune, merge or consolidation; a second time changes nothing. The space is unlocked by the caller.

    Raises:
        NotFound: the space has no such change, or neither a compression nor a sleep made it.
        ContentGone: the days in which it could be undone are over.
        ChangeBuried: what it made or moved was itself merged, pruned, forgotten or replaced since.
    """
    wanted = change if isinstance(change, UUID) else change.pk
    with space_scope(space):
        lock_space(space)
        row = MemoryChange.objects.for_space(space).filter(pk=wanted, kind__in=KINDS).first()
        if row is None:
            raise NotFound()
        if row.undone_at is None:
            _Undoing(space, row, now).run()
            record_event(
                "memory.restored",
                chain=space,
                actor=actor,
                subject=row,
                data={"kind": row.kind, "nodes": len(row.node_ids)},
                now=now,
            )
        return row


@dataclass
class _Undoing:
    space: UUID
    change: MemoryChange
    now: datetime
    version: int = 0
    touched: set[UUID] = field(default_factory=set)

    def run(self) -> None:
        before = self.change.before or {}
        if self.change.kind == MemoryChange.Kind.CONSOLIDATED and "merged" not in before:
            self._move_back()
        else:
            self._bring_back(self._members(), before)
        self.change.undone_at = self.now
        self.change.save(update_fields=["undone_at"])
        plan_left(self.space, now=self.now)

    def _move_back(self) -> None:
        """Make memories that sleep took in as they were short-term again, as far as they are still believed."""
        rows = MemoryNode.objects.for_space(self.space).active().filter(pk__in=self.change.node_ids)
        if not rows.exists():
            raise ChangeBuried()
        rows.update(
            tier=MemoryNode.Tier.SHORT_TERM,
            category=MemoryNode.Category.NONE,
            expires_at=None,
            slept_over_at=None,
            version=bump_version(self.space),
        )

    def _bring_back(self, members: Sequence[MemoryNode], before: dict) -> None:
        """Let buried memories hold again, in place of what had taken theirs."""
        merged = self._held_merged(before)
        heaviest = max(members, key=lambda member: (member.gravity, member.pk))
        self.version = bump_version(self.space)
        if merged is not None:
            self._bury(merged, heaviest)
        for member in members:
            if str(member.pk) in before.get("unslept", ()):
                member.slept_over_at = None
            self._unbury(member)
        edges = before.get("edges", [])
        if merged is not None:
            known = {*before["created"], *(edge["id"] for edge in edges)}
            self._hand_over(merged, heaviest, known=known)
        self._create_edges(self._kept_edges(edges))
        refresh_strength(self.space, self.touched)
        MemoryNode.objects.for_space(self.space).filter(pk__in=self.touched).update(version=self.version)

    def _members(self) -> list[MemoryNode]:
        ids = [UUID(node) for node in self.change.node_ids]
        members = list(MemoryNode.objects.for_space(self.space).filter(pk__in=ids).order_by("id"))
        if len(members) < len(ids) or any(member.content is None for member in members):
            raise ContentGone()
        return members

    def _held_merged(self, before: dict) -> MemoryNode | None:
        """Return the node that took the members' place; None for a prune."""
        if "merged" not in before:
            return None
        merged = MemoryNode.objects.for_space(self.space).get(pk=UUID(before["merged"]))
        if merged.removed_at is not None or merged.superseded_at is not None:
            raise ChangeBuried()
        return merged

    def _bury(self, merged: MemoryNode, heir: MemoryNode) -> None:
        """Leave a tombstone of the merged node; its words are its members' and need not be kept."""
        merged.removed_at = merged.content_until = self.now
        merged.merged_into, merged.version = heir, self.version
        merged.save(update_fields=["removed_at", "content_until", "merged_into", "version"])

    def _unbury(self, member: MemoryNode) -> None:
        """Let a memory hold again, unless one that says the same has taken its place."""
        twin = (
            MemoryNode.objects.for_space(self.space)
            .active()
            .filter(content_hash=bytes(member.content_hash))
            .exclude(pk=member.pk)
            .first()
            if member.superseded_at is None
            else None
        )
        member.version = self.version
        if member.expires_at is not None and member.expires_at <= self.now:
            member.expires_at = None  # The person wants it: it would go again with the day.
        if twin is None:
            member.removed_at = member.content_until = member.merged_into = None
            self.touched.add(member.pk)
        else:
            member.merged_into = twin
            self._move_sources(member.pk, twin.pk, copies=True)
        member.save(
            update_fields=[
                "removed_at", "content_until", "merged_into", "expires_at", "slept_over_at", "version",
            ]
        )  # fmt: skip

    def _hand_over(self, merged: MemoryNode, heir: MemoryNode, *, known: set[str]) -> None:
        """Delete the merged node's edges; what came to it later goes to its heaviest member.

        Args:
            known: the edges that the merge made, and those of the members, which may lead here by now.
        """
        edges = list(edges_at(self.space, [merged.pk]))
        self.touched |= {end for edge in edges for end in (edge.source_id, edge.target_id)} - {merged.pk}
        MemoryEdge.objects.for_space(self.space).filter(pk__in=[edge.pk for edge in edges]).delete()
        later = [edge for edge in edges if str(edge.pk) not in known]
        heir_id = self._standing_for([heir.pk]).get(heir.pk)
        if heir_id is None:
            return
        for edge in later:
            edge.source_id = heir_id if edge.source_id == merged.pk else edge.source_id
            edge.target_id = heir_id if edge.target_id == merged.pk else edge.target_id
        self._create_edges(later)
        self._move_sources(merged.pk, heir_id, copies=False)

    def _move_sources(self, node: UUID, heir: UUID, *, copies: bool) -> None:
        """Give a node's sources to another, as far as no memory of this change names them already."""
        named = [heir] if copies else [UUID(member) for member in self.change.node_ids]
        rows = MemorySource.objects.for_space(self.space)
        known = set(rows.filter(node_id__in=named).values_list("kind", "source_id", "start"))
        fresh = [
            row for row in rows.filter(node_id=node) if (row.kind, row.source_id, row.start) not in known
        ]
        MemorySource.objects.bulk_create(copy_sources(self.space, heir, fresh))

    def _kept_edges(self, described: Sequence[dict]) -> list[MemoryEdge]:
        """Return the edges as they were, each end led on to what it has become by now; none to what is gone."""
        ends = {UUID(edge[end]) for edge in described for end in ("source", "target")}
        standing = self._standing_for(ends)
        return [
            MemoryEdge(
                id=UUID(edge["id"]),
                space_id=self.space,
                source_id=standing[UUID(edge["source"])],
                target_id=standing[UUID(edge["target"])],
                type=edge["type"],
                weight=edge["weight"],
                formed_at=datetime.fromisoformat(edge["formed_at"]),
                version=self.version,
            )
            for edge in described
            if UUID(edge["source"]) in standing and UUID(edge["target"]) in standing
        ]

    def _standing_for(self, nodes: Iterable[UUID]) -> dict[UUID, UUID]:
        """Return what each node has become: itself, or what it was merged into; those that are gone are left out."""
        rows = MemoryNode.objects.for_space(self.space)
        now_at = {node: node for node in nodes}
        found: dict[UUID, UUID] = {}
        while now_at:
            known = {row.pk: row for row in rows.filter(pk__in=set(now_at.values())).defer("content")}
            following = {}
            for node, at in now_at.items():
                row = known.get(at)
                if row is not None and row.removed_at is None:
                    found[node] = at
                elif row is not None and row.merged_into_id is not None:
                    following[node] = row.merged_into_id
            now_at = following
        return found

    def _create_edges(self, edges: Sequence[MemoryEdge]) -> None:
        fit = [edge for edge in edges if edge.source_id != edge.target_id]
        for edge in fit:
            edge.version = self.version
            self.touched |= {edge.source_id, edge.target_id}
        MemoryEdge.objects.bulk_create(fit, ignore_conflicts=True)
