"""Entities of an open space as plain data. Runs inside the space's scope, with the space unlocked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from companion_site.vault.columns import opener
from memory.models import Entity, EntityMention
from memory.student.entities.resolution import Known


@dataclass(frozen=True, slots=True)
class MentionData:
    """That a memory speaks of an entity, how, and by which characters of its words."""

    node: UUID
    entity: UUID
    type: str
    start: int
    end: int


def load_entities(space: UUID, **which: Any) -> list[Known]:
    """Return the entities that fit a filter, all by default; the one spoken of last has the greatest `last`."""
    rows = (
        Entity.objects.for_space(space)
        .filter(**which)
        .order_by("id")
        .values_list("id", "kind", "name", "relation")
    )
    open_name, open_relation = (opener(space, Entity, field) for field in ("name", "relation"))
    mentions = EntityMention.objects.for_space(space).order_by("entity_id", "-id").distinct("entity_id")
    newest = sorted(mentions.values_list("pk", "entity_id"))
    last = {entity: number for number, (_, entity) in enumerate(newest, 1)}
    return [
        Known(pk, kind, _opened(open_name, pk, name), _opened(open_relation, pk, relation), last.get(pk, 0))
        for pk, kind, name, relation in rows
    ]


def load_mentions(space: UUID, **which: Any) -> list[MentionData]:
    """Return the mentions that fit a filter, in the order in which they came."""
    rows = EntityMention.objects.for_space(space).filter(**which).order_by("id")
    return [MentionData(*row) for row in rows.values_list("node_id", "entity_id", "type", "start", "end")]


def _opened(open_content: Callable[[UUID, bytes], str], pk: UUID, box: bytes | None) -> str | None:
    return open_content(pk, box) if box is not None else None
