"""Taking a school's world in and giving it out: compared first, written in one transaction, the same file twice for nothing.

One concept may be changed by hand too, under the same rules.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection, models, transaction
from django.utils.translation import gettext as _
from pydantic import ValidationError

from companion_site.accounts.models import School
from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.language import fold_words
from companion_site.vault.models import Space
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version, create_open_space
from overlay.errors import Problem, WorldChanged, WorldRefused
from overlay.models import Concept, ConceptEdge
from overlay.world_files import (
    FORMAT,
    ConceptEntry,
    EdgeEntry,
    WorldFile,
    distinct_aliases,
    name_problems,
    parse_world,
    tell_problems,
)
from overlay.worlds import NO_WORLD, World, load_world

BATCH = 2_000
FIELDS = ("name", "aliases", "kind", "description")
#: The world that comes along, so that the demo school has something to discover.
SCHOOL_SCIENCE = Path(__file__).parent / "world_data" / "school_science.json"


@dataclass(frozen=True)
class WorldChanges:
    """What taking a file in changes, or has changed."""

    added: tuple[ConceptEntry, ...]
    changed: tuple[ConceptEntry, ...]
    #: as they were; what students know of them stays with them
    removed: tuple[ConceptEntry, ...]
    edges_added: tuple[EdgeEntry, ...]
    edges_removed: tuple[EdgeEntry, ...]
    #: the world's version that this was compared with
    version: int

    def __bool__(self) -> bool:
        return any(self.counts.values())

    @property
    def counts(self) -> dict[str, int]:
        names = ("added", "changed", "removed", "edges_added", "edges_removed")
        return {name: len(getattr(self, name)) for name in names}


def preview_import(school: School, world: WorldFile) -> WorldChanges:
    """Return what `import_world` would change now."""
    return _compare(_present(school.world_space_id), world)


def _present(space: UUID | None) -> World:
    return NO_WORLD if space is None else load_world(space)


def import_world(
    school: School,
    world: WorldFile,
    *,
    now: datetime,
    actor: models.Model | None = None,
    expected_version: int | None = None,
) -> WorldChanges:
    """Make a school's world what the file says, all or nothing; a file taken in already changes nothing.

    Concepts are known by their ids in the file: names may change, and a concept that comes back is the one it was.
    What is not in the file any more is taken out of the world, and stays with the students who know it.

    Args:
        expected_version: the version that was shown before; None takes the file in whatever the world is by now.

    Raises:
        WorldChanged: the world's version is another by now.
    """
    with transaction.atomic():
        space = _ensure_space(school, now=now)
        with write_scope(space):
            present = load_world(space)
            if expected_version is not None and present.version != expected_version:
                raise WorldChanged()
            changes = _compare(present, world)
            if changes:
                _apply(space, _edge_entries(present), changes, now=now)
                bump_version(space)
                record_event(
                    "overlay.world_imported",
                    chain=space,
                    actor=actor,
                    subject=school,
                    data=changes.counts,
                    now=now,
                )
    school.world_space_id = space
    return changes


def export_world(school: School) -> WorldFile:
    """Return a school's world as it is; imported again it changes nothing."""
    world = _present(school.world_space_id)
    concepts = sorted(_entries(world).values(), key=lambda entry: entry.id)
    edges = sorted(_edge_entries(world), key=lambda edge: (edge.source, edge.type, edge.target))
    return WorldFile(format=FORMAT, name=school.name, concepts=concepts, edges=edges)


def _entries(world: World) -> dict[str, ConceptEntry]:
    """Return the concepts of a world as a file tells them, by their ids there; rows were checked when written."""
    return {row.key: ConceptEntry.model_construct(id=row.key, **_fields(row)) for row in world.concepts}


def _edge_entries(world: World) -> dict[EdgeEntry, UUID]:
    """Return the edges of a world as a file tells them, with their rows' ids."""
    key_of = {row.pk: row.key for row in world.concepts}
    found: dict[EdgeEntry, UUID] = {}
    for edge in world.edges:
        source, target = (key_of[end] for end in edge.ends)
        found[EdgeEntry.model_construct(source=source, target=target, type=edge.type)] = edge.pk
    return found


def _compare(before: World, world: WorldFile) -> WorldChanges:
    present, edges = _entries(before), _edge_entries(before)
    wanted = {
        entry.id: entry.model_copy(update={"aliases": distinct_aliases(entry.name, entry.aliases)})
        for entry in world.concepts
    }
    wanted_edges = dict.fromkeys(world.edges)
    return WorldChanges(
        added=tuple(entry for key, entry in wanted.items() if key not in present),
        changed=tuple(
            entry
            for key, entry in wanted.items()
            if key in present and _fields(entry) != _fields(present[key])
        ),
        removed=tuple(entry for key, entry in present.items() if key not in wanted),
        edges_added=tuple(edge for edge in wanted_edges if edge not in edges),
        edges_removed=tuple(edge for edge in edges if edge not in wanted_edges),
        version=before.version,
    )


def _apply(space: UUID, edge_ids: dict[EdgeEntry, UUID], changes: WorldChanges, *, now: datetime) -> None:
    """Write the changes; edges go first and come last, for they hold on to concepts."""
    gone = [edge_ids[edge] for edge in changes.edges_removed]
    ConceptEdge.objects.for_space(space).filter(pk__in=gone).delete()
    rows = Concept.objects.for_space(space)
    rows.filter(key__in=[entry.id for entry in changes.removed]).update(removed_at=now)
    # What was taken out before keeps its row, for when it comes back.
    ids = dict(rows.values_list("key", "pk"))
    written = [
        Concept(id=ids.get(entry.id) or new_id(), space_id=space, key=entry.id, **_fields(entry))
        for entry in (*changes.added, *changes.changed)
    ]
    Concept.objects.bulk_create(
        written,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*FIELDS, "removed_at"],
    )
    ids |= {row.key: row.pk for row in written}
    if written:
        _forget_plans()
    edges = [
        ConceptEdge(space_id=space, source_id=ids[edge.source], target_id=ids[edge.target], type=edge.type)
        for edge in changes.edges_added
    ]
    ConceptEdge.objects.bulk_create(edges, batch_size=BATCH)


def _forget_plans() -> None:
    """Have the keys of edges checked by the size that the table has by now.

    A connection keeps the plan of such a check. Made while the table was small, it took 2 ms an edge at 8,000
    concepts, where a new one takes 0.1.
    """
    with connection.cursor() as cursor:
        cursor.execute("DISCARD PLANS")


def _fields(entry: ConceptEntry | Concept) -> dict[str, Any]:
    return {field: getattr(entry, field) for field in FIELDS}


def _ensure_space(school: School, *, now: datetime) -> UUID:
    """Return the space of the school's world, made on first use, under the school's lock."""
    locked = School.objects.select_for_update().get(pk=school.pk)
    if locked.world_space_id is None:
        space = create_open_space(kind=Space.Kind.WORLD, now=now)
        Space.objects.filter(pk=space.pk).update(school_id=school.pk)
        locked.world_space_id = space.pk
        locked.save(update_fields=["world_space_id"])
    return locked.world_space_id


def change_concept(
    space: UUID, concept: UUID, *, now: datetime, actor: models.Model | None, **fields: Any
) -> bool:
    """Change what a concept is called and how it is described; return whether anything is other than it was.

    Args:
        fields: all of `FIELDS`.

    Raises:
        WorldRefused: a name cannot be one, or is another concept's; places begin with the field.
        NotFound: the concept is not, or not any more, part of this world.
    """
    with write_scope(space):
        row = Concept.objects.for_space(space).find(pk=concept, removed_at__isnull=True)
        entry = _check(row, fields)
        changed = [field for field in FIELDS if getattr(row, field) != getattr(entry, field)]
        if not changed:
            return False
        for field in changed:
            setattr(row, field, getattr(entry, field))
        row.save(update_fields=changed)
        bump_version(space)
        data = {"fields": changed}
        record_event("overlay.concept_changed", chain=space, actor=actor, subject=row, data=data, now=now)
    return True


def _check(row: Concept, fields: dict[str, Any]) -> ConceptEntry:
    aliases = distinct_aliases(fields["name"], fields["aliases"])
    try:
        entry = ConceptEntry.model_validate({**fields, "id": row.key, "aliases": aliases})
    except ValidationError as error:
        raise WorldRefused(tell_problems(error)) from None
    problems = [
        Problem(item.place.removeprefix("concepts[0]."), item.what) for item in name_problems([entry])
    ]
    problems += _taken(row, entry)
    if problems:
        raise WorldRefused(problems)
    return entry


def _taken(row: Concept, entry: ConceptEntry) -> list[Problem]:
    rows = Concept.objects.for_space(row.space_id).filter(removed_at__isnull=True).exclude(pk=row.pk)
    owners = {
        fold_words(name): owner
        for owner, first, aliases in rows.values_list("name", "name", "aliases")
        for name in (first, *aliases)
    }
    places = [("name", entry.name), *((f"aliases[{n}]", alias) for n, alias in enumerate(entry.aliases))]
    what = _("“%(name)s” is already a name of “%(owner)s”.")
    return [
        Problem(place, what % {"name": name, "owner": owners[fold_words(name)]})
        for place, name in places
        if fold_words(name) in owners
    ]


def ensure_demo_world(school: School, *, now: datetime) -> bool:
    """Give a school without a world the one that comes along; return whether it was given."""
    if school.world_space_id is not None:
        return False
    import_world(school, parse_world(SCHOOL_SCIENCE.read_bytes()), now=now)
    return True
