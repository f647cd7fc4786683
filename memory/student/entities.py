"""Who and what a student's memories are about: one row for each person, animal, place, course and thing (docs/algorithms/entities.md).

Which entity somebody means, in a statement or a question, is one known by that name, by that relation, or a new one. Two of the same
name and different relations are two ("my cousin Anna", "my teacher Anna"); a name heard later belongs to whom was known by the
relation alone ("my brother", then "my brother Noah"). What is unsure is a new entity: two that are one can be seen and cost little,
one that is two tells falsehoods.

Whoever reads or writes rows holds the space's scope; where names are read, it is unlocked. Writing takes the caller's lock and
transaction as well.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Subquery

from companion_site.ids import new_id
from companion_site.vault.columns import opener
from memory.models import Entity, EntityMention
from memory.reading.entities import Mention, find_candidates, relation_of
from memory.reading.words import load_tables, words_of

#: What a relation is, whatever its language, with whose it is: "Mira's sister" is not "sister".
Ideas = frozenset[tuple[str, ...]]
#: Kinds that are never taken for another; a school may be told of as a place, and a band as a thing.
_ALIVE = frozenset({"person", "animal"})
_TYPE = {"about": "ABOUT", "involves": "INVOLVES", "located_at": "LOCATED_AT"}


@dataclass(frozen=True, slots=True)
class Known:
    """An entity as it is known, or as a statement names it.

    Attributes:
        name: a proper name; relation: what it is to the person.
        last: a number that grows with the time of its last mention: of two that fit, the one spoken of last is meant.
        ideas: what the relation says in either language, read once since it is compared with each that comes.
    """

    id: UUID
    kind: str
    name: str | None
    relation: str | None
    last: int = 0
    ideas: Ideas = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ideas", read_relation(self.relation))


def resolve(named: Known, known: Sequence[Known]) -> Known:
    """Return which of those known is meant, with what is learned of it; where none is, what was named is a new one."""
    fitting = [one for one in known if _may_be(one, named)]
    meant: list[Known] = []
    by_name = [one for one in fitting if one.name and named.name and is_same_name(one.name, named.name)]
    if by_name:
        # Two of one name are parted by what they are.
        meant = [one for one in by_name if not (named.relation and one.relation) or named.ideas & one.ideas]
    elif named.relation is not None:
        meant = [
            one for one in fitting if one.ideas & named.ideas and (named.name is None or one.name is None)
        ]
    if not meant:
        return named
    latest = max(meant, key=lambda one: one.last)
    kind = named.kind if named.relation and not latest.relation else latest.kind
    return replace(
        latest, kind=kind, name=latest.name or named.name, relation=latest.relation or named.relation
    )


def _may_be(one: Known, named: Known) -> bool:
    """Tell whether their kinds let two be one; a bare name does not say whether it is somebody's or an animal's, a relation does."""
    alive = _ALIVE & {one.kind, named.kind}
    is_bare = any(each.name and not each.relation for each in (one, named))
    return one.kind == named.kind or not alive or (is_bare and len(alive) == 2)


def find_named(question: str, entities: Iterable[Known], *, naming: frozenset[str]) -> list[UUID]:
    """Return the entities that a question names, by name or by what they are to whoever asks; in the order of the question.

    Args:
        naming: words by which something is named without a capital letter, casefolded.
    """
    known = list(entities)
    names = frozenset(one.name.casefold() for one in known if one.name)
    found: dict[UUID, None] = {}
    for candidate in find_candidates(question, naming=naming, known=names):
        name = None if candidate.name_at is None else question[slice(*candidate.name_at)]
        ideas = read_relation(relation_of(question, candidate)) if name is None else frozenset()
        for one in known:
            by_name = name is not None and one.name is not None and is_same_name(one.name, name)
            if by_name or ideas & one.ideas:
                found.setdefault(one.id)
    return list(found)


def is_same_name(one: str, other: str) -> bool:
    """Tell whether two names are one: alike but for case, or the first part of the longer one."""
    first, second = (name.casefold().split() for name in (one, other))
    shorter, longer = sorted((first, second), key=len)
    return bool(shorter) and longer[: len(shorter)] == shorter


def read_relation(relation: str | None) -> Ideas:
    """Return what a relation is, by its last word and whatever names an owner before it; two that share one are the same."""
    words = (relation or "").casefold().replace("\u2019", "'").split()
    if words and words[0] in words_of("owners.json", "others"):
        return frozenset()  # "their dog": whose, its sentence does not say
    owners = tuple(word.removesuffix("'s").removesuffix("s") for word in words[:-1] if word.endswith("s"))
    return (
        frozenset((*owners, idea) for idea in _ideas().get(words[-1], (words[-1],))) if words else frozenset()
    )


@cache
def _ideas() -> dict[str, tuple[str, ...]]:
    """Return word → what it calls somebody: "bror" and "brother" both a brother; "far" is another in English."""
    ideas: dict[str, tuple[str, ...]] = {}
    for relations in load_tables("relations.json").values():
        for idea, words in relations.items():
            for word in words:
                ideas[word] = (*ideas.get(word, ()), idea)
    return ideas


class MentionData(NamedTuple):
    """That a memory speaks of an entity, how, and by which characters of its words."""

    node: UUID
    entity: UUID
    type: str
    start: int
    end: int


def load_entities(space: UUID, **which: Any) -> list[Known]:
    """Return the entities that fit a filter, all by default; the one spoken of last has the greatest `last`."""
    mentions = EntityMention.objects.for_space(space).filter(entity_id=OuterRef("pk")).order_by("-id")
    rows = (
        Entity.objects.for_space(space)
        .filter(**which)
        .annotate(mentioned=Subquery(mentions.values("id")[:1]))
        .order_by("id")
        .values_list("id", "kind", "name", "relation", "mentioned")
    )
    open_name, open_relation = (opener(space, Entity, field) for field in ("name", "relation"))
    return [
        # Ids sort by time.
        Known(
            pk,
            kind,
            _opened(open_name, pk, name),
            _opened(open_relation, pk, relation),
            mentioned.int if mentioned else 0,
        )
        for pk, kind, name, relation, mentioned in rows
    ]


def load_mentions(space: UUID, **which: Any) -> list[MentionData]:
    """Return the mentions that fit a filter, in the order in which they came."""
    rows = EntityMention.objects.for_space(space).filter(**which).order_by("id")
    return [MentionData(*row) for row in rows.values_list("node_id", "entity_id", "type", "start", "end")]


def _opened(open_content: Callable[[UUID, bytes], str], pk: UUID, box: bytes | None) -> str | None:
    return open_content(pk, box) if box is not None else None


def store_mentions(
    space: UUID,
    mentions: Mapping[UUID, Sequence[Mention]],
    *,
    speaker: str | None = None,
    version: int,
    now: datetime,
) -> None:
    """Write what each new memory names; whom it means is told by all that the space knows, and by what stands before it.

    Args:
        speaker: who said it; None for the space's own person. What they call theirs is not the person's: "Mira's dog".
    """
    if not any(mentions.values()):
        return
    known = {one.id: one for one in load_entities(space)}
    before = dict(known)
    found_in: dict[tuple[UUID, UUID], EntityMention] = {}
    last = max((one.last for one in known.values()), default=0)
    for node, found in mentions.items():
        for mention in found:
            last += 1
            relation = mention.relation
            if speaker and relation and mention.is_own:
                relation = f"{speaker}'s {relation}"
            named = Known(new_id(), mention.kind, mention.name, relation)
            entity = resolve(named, list(known.values()))
            known[entity.id] = replace(entity, last=last)
            told = EntityMention(
                space_id=space,
                node_id=node,
                entity_id=entity.id,
                type=_TYPE[mention.role],
                start=mention.start,
                end=mention.end,
                version=version,
            )
            found_in.setdefault((node, entity.id), told)
    _write_entities(space, known, before, now=now)
    EntityMention.objects.bulk_create(found_in.values(), ignore_conflicts=True)


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
        if earlier is not None and earlier != replace(one, last=earlier.last):
            row = Entity.objects.for_space(space).get(pk=key)
            row.kind, row.name, row.relation = one.kind, one.name, one.relation
            row.save(update_fields=["kind", "name", "relation"])


def carry_mentions(
    space: UUID, successors: Mapping[UUID, tuple[str, Sequence[UUID]]], *, version: int
) -> None:
    """Note of each memory that takes the place of several what those spoke of, as far as its words still name it.

    Args:
        successors: by its id, its words and whose place it takes.
    """
    members = [member for _, each in successors.values() for member in each]
    of_node: dict[UUID, list[EntityMention]] = defaultdict(list)
    mentions = EntityMention.objects.for_space(space).filter(node__in=members).select_related("node")
    for mention in mentions.order_by("id"):
        of_node[mention.node_id].append(mention)
    carried: dict[tuple[UUID, UUID], EntityMention] = {}
    for node, (text, each) in successors.items():
        for mention in (mention for member in each for mention in of_node.get(member, ())):
            phrase = (mention.node.content or "")[mention.start : mention.end]
            start = text.find(phrase) if phrase else -1
            if start >= 0:
                told = EntityMention(
                    space_id=space,
                    node_id=node,
                    entity_id=mention.entity_id,
                    type=mention.type,
                    start=start,
                    end=start + len(phrase),
                    version=version,
                )
                carried.setdefault((node, mention.entity_id), told)
    EntityMention.objects.bulk_create(carried.values(), ignore_conflicts=True)


def drop_unmentioned(space: UUID) -> int:
    """Delete entities that no memory with words speaks of any more; return how many. Reads nothing, so needs no key."""
    spoken = EntityMention.objects.for_space(space).filter(node__content__isnull=False)
    gone = Entity.objects.for_space(space).exclude(pk__in=spoken.values("entity_id"))
    count, _ = gone.delete()
    return count
