"""What was changed in a memory, by itself or by hand, with the memories concerned and whether it can be undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from companion_site.vault.scope import space_scope
from memory.models import MemoryChange
from memory.pages.selectors import Shown, load_memories

#: what the companion did by itself, and the person may want back
AUTOMATIC = (MemoryChange.Kind.SUPERSEDED, MemoryChange.Kind.MERGED, MemoryChange.Kind.PRUNED)
LATEST = 50


@dataclass(frozen=True, kw_only=True)
class ShownChange:
    """One change: the memories it took away, and what they became."""

    id: UUID
    kind: str
    at: datetime
    undone_at: datetime | None
    gone: Sequence[Shown]
    became: Shown | None

    @property
    def title(self) -> str:
        titles = {
            MemoryChange.Kind.SUPERSEDED: _("Replaced by something newer"),
            MemoryChange.Kind.MERGED: _("Several made into one"),
            MemoryChange.Kind.PRUNED: _("Faded and cleaned up"),
            MemoryChange.Kind.CONSOLIDATED: _("Settled while resting"),
            MemoryChange.Kind.FORGOTTEN: _("Forgotten by you"),
            MemoryChange.Kind.CORRECTED: _("Put right by you"),
        }
        return titles[MemoryChange.Kind(self.kind)]

    @property
    def can_be_undone(self) -> bool:
        return self.undone_at is None and bool(self.gone) and all(memory.text for memory in self.gone)


def recent_changes(space: UUID, *, now: datetime, run: UUID | None = None) -> list[ShownChange]:
    """Return what the companion changed by itself lately, the last first; only what a clean-up did if it is given."""
    with space_scope(space):
        rows = MemoryChange.objects.for_space(space).filter(kind__in=AUTOMATIC)
        if run is not None:
            rows = rows.filter(run_id=run)
        found = list(rows.order_by("-at", "-id").values("id", "kind", "at", "undone_at", "node_ids")[:LATEST])
    return _show(space, found, now=now)


def _show(space: UUID, rows: Sequence[dict], *, now: datetime) -> list[ShownChange]:
    named = {UUID(node) for row in rows for node in row["node_ids"]}
    known = {memory.id: memory for memory in load_memories(space, Q(pk__in=named), now=now)}
    others = {place for memory in known.values() for place in _places(memory)} - known.keys()
    known |= {memory.id: memory for memory in load_memories(space, Q(pk__in=others), now=now)}
    return [
        _shown(row, [known[UUID(node)] for node in row["node_ids"] if UUID(node) in known], known)
        for row in rows
    ]


def _shown(row: dict, concerned: Sequence[Shown], known: dict[UUID, Shown]) -> ShownChange:
    """Return one change; a memory that still holds is not gone, it is what others became."""
    gone = [memory for memory in concerned if memory.ended_at is not None or row["undone_at"] is not None]
    became = next((known[place] for memory in gone for place in _places(memory) if place in known), None)
    return ShownChange(
        id=row["id"],
        kind=row["kind"],
        at=row["at"],
        undone_at=row["undone_at"],
        gone=[memory for memory in gone if became is None or memory.id != became.id],
        became=became,
    )


def _places(memory: Shown) -> list[UUID]:
    return [place for place in (memory.superseded_by, memory.merged_into) if place is not None]
