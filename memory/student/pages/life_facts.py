"""What the companion keeps in mind of somebody's life, as the page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.models import LifeFact
from memory.student.life.facts.loops import OPEN_KINDS
from memory.student.life.facts.selectors import Fact, settle_facts, standing

Kind = LifeFact.Kind
#: The newest are shown; what is older is found among the memories.
MOST_READ = 300


@dataclass(frozen=True, kw_only=True)
class KeptInMind:
    """One fact, with the memory that tells it."""

    id: UUID
    memory_id: UUID
    text: str
    noted_at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class KeptPart:
    """Facts of one kind, the last noted first; those that are closed apart.

    Attributes:
        can_be_done: they come up by themselves, until somebody says that they are done with.
    """

    kind: str
    label: str
    can_be_done: bool
    open: Sequence[KeptInMind]
    closed: Sequence[KeptInMind]


def list_kept_in_mind(space: UUID) -> list[KeptPart]:
    """Return what is kept in mind, by kind, what comes up by itself first. The space is unlocked by the caller."""
    with space_scope(space):
        facts = settle_facts(space, standing(space).order_by("-noted_at", "-id")[:MOST_READ])
    found = [(fact.kind, _shown(fact)) for fact in facts]
    order = (*OPEN_KINDS, *(kind for kind in Kind if kind not in OPEN_KINDS))
    parts = [
        KeptPart(
            kind=kind,
            label=str(kind.label),
            can_be_done=kind in OPEN_KINDS,
            open=[one for of, one in found if of == kind and one.closed_at is None],
            closed=[one for of, one in found if of == kind and one.closed_at is not None],
        )
        for kind in order
    ]
    return [part for part in parts if part.open or part.closed]


def _shown(fact: Fact) -> KeptInMind:
    return KeptInMind(
        id=fact.id,
        memory_id=fact.node,
        text=fact.text,
        noted_at=fact.noted_at,
        closed_at=fact.closed_at,
    )
