"""How much an agent remembers, counted from columns that need no key."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max

from companion_site.vault.scope import space_scope
from memory.models import AgentContext, AgentNode, NodeType


@dataclass(frozen=True, kw_only=True)
class TypeCount:
    """How many nodes of one type there are.

    Attributes:
        width: of its bar, in per cent of the longest, as an attribute has it.
    """

    type: str
    label: str
    count: int
    width: str


@dataclass(frozen=True, kw_only=True)
class Held:
    """What an agent has, in numbers."""

    nodes: int
    last_context_at: datetime | None


def count_held(space: UUID) -> Held:
    """Return how many nodes an agent remembers, and when it last built or saved a context."""
    with space_scope(space, reading=True):
        nodes = AgentNode.objects.for_space(space).filter(removed_at__isnull=True).count()
        last = AgentContext.objects.for_space(space).aggregate(last=Max("saved_at"))["last"]
    return Held(nodes=nodes, last_context_at=last)


def count_types(space: UUID) -> list[TypeCount]:
    """Return how many nodes of each type an agent remembers, in the order of the types; of none that it has none of."""
    with space_scope(space, reading=True):
        rows = AgentNode.objects.for_space(space).filter(removed_at__isnull=True).order_by()
        counts = dict(rows.values_list("type").annotate(count=Count("pk")))
    most = max(counts.values(), default=1)
    return [
        TypeCount(
            type=kind.value,
            label=str(kind.label),
            count=counts[kind.value],
            width=f"{100 * counts[kind.value] / most:.1f}",
        )
        for kind in NodeType
        if counts.get(kind.value)
    ]
