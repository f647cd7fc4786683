"""Who and what memories are about, read and written. The caller holds the space's scope; where names are read, it is unlocked.

Writing takes the caller's lock and transaction as well.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from companion_site.ids import new_id
from companion_site.vault.columns import opener
from memory.models import Entity, EntityMention, MemoryNode
from memory.reading.entities import Mention
from memory.student.entities.resolution import Known, resolve

_TYPE = {"about": "ABOUT", "involves": "INVOLVES", "located_at": "LOCATED_AT"}


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


def store_mentions(
    space: UUID, mentions: Mapping[UUID, Sequence[Mention]], *, version: int, now: datetime
) -> None:
    """Write what each new memory names; whom it means is told by all that the space knows, and by what stands before it."""
    if not any(mentions.values()):
        return
    known = {one.id: one for one in load_entities(space)}
    before = dict(known)
    found_in: dict[tuple[UUID, UUID], MentionData] = {}
    last = max((one.last for one in known.values()), default=0)
    for node, found in mentions.items():
        for mention in found:
            last += 1
            named = Known(new_id(), mention.kind, mention.name, mention.relation)
            entity = resolve(named, list(known.values()))
            known[entity.id] = replace(entity, last=last)
            told = MentionData(node, entity.id, _TYPE[mention.role], mention.start, mention.end)
            found_in.setdefault((node, entity.id), told)
    _write_entities(space, known, before, now=now)
    _write_mentions(space, found_in.values(), version=version)


def _write_mentions(space: UUID, mentions: Iterable[MentionData], *, version: int) -> None:
    EntityMention.objects.bulk_create(
        (
            EntityMention(
                space_id=space,
                node_id=one.node,
                entity_id=one.entity,
                type=one.type,
                start=one.start,
                end=one.end,
                version=version,
            )
            for one in mentions
        ),
        ignore_conflicts=True,
    )


def _write_entities(
    space: UUID, known: Mapping[UUID, Known], before: Mapping[UUID, Known], *, now: datetime
) -> None:
    Entity.objects.bulk_create(
        Entity(space_id=space, id=key, kind=one.kind, name=one.name, relation=one.relation, formed_at=now)
        for key, one in known.items()
        if key not in before
    )
    for key, one in known.items():
        earlier = before.get(key)
        if earlier is not None and (earlier.name, earlier.relation) != (one.name, one.relation):
            row = Entity.objects.for_space(space).get(pk=key)
            row.name, row.relation = one.name, one.relation
            row.save(update_fields=["name", "relation"])


def carry_mentions(
    space: UUID, successors: Mapping[UUID, tuple[str, Sequence[UUID]]], *, version: int
) -> None:
    """Note of each memory that takes the place of several what those spoke of, as far as its words still name it.

    Args:
        successors: by its id, its words and whose place it takes.
    """
    members = [member for _, each in successors.values() for member in each]
    of_node: dict[UUID, list[MentionData]] = {}
    for mention in load_mentions(space, node__in=members):
        of_node.setdefault(mention.node, []).append(mention)
    if not of_node:
        return
    words = {row.pk: row.content for row in MemoryNode.objects.for_space(space).filter(pk__in=of_node)}
    carried: dict[tuple[UUID, UUID], MentionData] = {}
    for node, (text, each) in successors.items():
        for mention in (mention for member in each for mention in of_node.get(member, ())):
            phrase = (words.get(mention.node) or "")[mention.start : mention.end]
            start = text.find(phrase) if phrase else -1
            if start >= 0:
                told = MentionData(node, mention.entity, mention.type, start, start + len(phrase))
                carried.setdefault((node, mention.entity), told)
    _write_mentions(space, carried.values(), version=version)


def drop_unmentioned(space: UUID) -> int:
    """Delete entities that no memory with words speaks of any more; return how many. Reads nothing, so needs no key."""
    spoken = EntityMention.objects.for_space(space).filter(node__content__isnull=False)
    gone = Entity.objects.for_space(space).exclude(pk__in=spoken.values("entity_id"))
    count, _ = gone.delete()
    return count
