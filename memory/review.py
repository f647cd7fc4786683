"""Contradictions that wait for the person, as the review page shows them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.models import Contradiction, MemoryNode

MOST = 100


@dataclass(frozen=True, kw_only=True)
class Side:
    """One memory as it is shown; `text` is None where its words are gone."""

    id: UUID
    text: str | None
    language: str
    valence: float
    formed_at: datetime
    is_current: bool


@dataclass(frozen=True, kw_only=True)
class OpenContradiction:
    """Two memories, and what made them stand against each other."""

    id: UUID
    found_at: datetime
    found_by: str
    earlier: Side
    later: Side


def list_open(space: UUID, *, limit: int = MOST) -> list[OpenContradiction]:
    """Return the contradictions of an unlocked space that wait for the person and still concern two held memories."""
    held = {
        f"{end}__{ended}__isnull": True
        for end in ("earlier", "later")
        for ended in ("superseded_at", "removed_at")
    }
    with space_scope(space):
        rows = Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN, **held)
        found = list(rows.select_related("earlier", "later").order_by("id")[:limit])
        return [
            OpenContradiction(
                id=row.pk,
                found_at=row.found_at,
                found_by=row.found_by,
                earlier=_side(row.earlier),
                later=_side(row.later),
            )
            for row in found
        ]


def _side(node: MemoryNode) -> Side:
    return Side(
        id=node.pk,
        text=node.content,
        language=node.language,
        valence=node.valence,
        formed_at=node.formed_at,
        is_current=node.superseded_at is None and node.removed_at is None,
    )
