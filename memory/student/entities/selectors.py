"""Entities of an open space as plain data. Runs inside the space's scope, with the space unlocked."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from companion_site.vault.columns import opener
from memory.algorithms.entity_resolution import Known
from memory.models import Entity, EntityMention


@dataclass(frozen=True, slots=True)
class MentionData:
    """That a memory speaks of an entity, how, and by which characters of its words."""

    node: UUID
    entity: UUID
    type: str
    start: int
    end: int


def load_entities(space: UUID) -> list[Known]:
    """Return all entities of a space, the one spoken of last with the greatest `last`."""
    rows = Entity.objects.for_space(space).order_by("id").values_list("id", "kind", "name", "relation")
    open_name, open_relation = (opener(space, Entity, field) for field in ("name", "relation"))
    mentions = EntityMention.objects.for_space(space).order_by("id").values_list("entity_id", flat=True)
    last = {entity: number for number, entity in enumerate(mentions, 1)}
    return [
        Known(pk, kind, _opened(open_name, pk, name), _opened(open_relation, pk, relation), last.get(pk, 0))
        for pk, kind, name, relation in rows
    ]


def load_mentions(space: UUID, *, after: int = -1) -> list[MentionData]:
    """Return the mentions that came after a version of the space, in the order in which they came."""
    rows = EntityMention.objects.for_space(space).filter(version__gt=after).order_by("id")
    return [MentionData(*row) for row in rows.values_list("node_id", "entity_id", "type", "start", "end")]


def _opened(open_content: Callable[[UUID, bytes], str], pk: UUID, box: bytes | None) -> str | None:
    return open_content(pk, box) if box is not None else None
