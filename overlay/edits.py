"""Changing one concept of a world by hand, held to the same rules as a file."""

from datetime import datetime
from uuid import UUID

from django.db import models
from django.utils.translation import gettext as _
from pydantic import ValidationError

from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.language import fold_words
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from overlay.errors import Problem, WorldRefused
from overlay.importer import FIELDS
from overlay.models import Concept
from overlay.world_checks import distinct_aliases, name_problems
from overlay.world_files import ConceptEntry, tell_problems


def change_concept(
    space: UUID,
    concept: UUID,
    *,
    name: str,
    aliases: list[str],
    kind: str,
    description: str,
    now: datetime,
    actor: models.Model | None,
) -> bool:
    """Change what a concept is called and how it is described; return whether anything is other than it was.

    Raises:
        WorldRefused: a name cannot be one, or is another concept's; places begin with the field.
        NotFound: the concept is not, or not any more, part of this world.
    """
    with space_scope(space):
        lock_space(space)
        row = Concept.objects.for_space(space).filter(pk=concept, removed_at__isnull=True).first()
        if row is None:
            raise NotFound()
        entry = _check(row, name=name, aliases=aliases, kind=kind, description=description)
        changed = [field for field in FIELDS if getattr(row, field) != getattr(entry, field)]
        if not changed:
            return False
        for field in changed:
            setattr(row, field, getattr(entry, field))
        row.save(update_fields=changed)
        bump_version(space)
        record_event(
            "overlay.concept_changed",
            chain=space,
            actor=actor,
            subject=row,
            data={"fields": changed},
            now=now,
        )
    return True


def _check(row: Concept, *, name: str, aliases: list[str], kind: str, description: str) -> ConceptEntry:
    given = {"id": row.key, "name": name, "kind": kind, "description": description}
    try:
        entry = ConceptEntry.model_validate({**given, "aliases": distinct_aliases(name, aliases)})
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
    """Return the names that other concepts of the world go by already."""
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
