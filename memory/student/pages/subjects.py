"""What a memory's facts are about, as the pages show it: the entities that they mention, each with what it is called."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from memory.student.entities import Known
from memory.student.workingset import WorkingSet

#: whom a fact tells something of comes before what it involves, and that before where it takes place
_ORDER = ("ABOUT", "INVOLVES", "LOCATED_AT")


class Kind(TextChoices):
    """What a subject is, in the order in which they are shown."""

    PERSON = "person", _("People")
    ANIMAL = "animal", _("Animals")
    PLACE = "place", _("Places")
    ORGANISATION = "organisation", _("Schools, clubs and companies")
    COURSE = "course", _("Subjects and courses")
    THING = "thing", _("Things")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Somebody or something that facts are about.

    Attributes:
        key: what an address names it by; no word of it.
        name: as the person says it: a name, or "Brother" where there is none.
        relation: what somebody with a name is to the person, in their words; "" where they did not say.
        kind: None for a part of the person's own life.
    """

    key: str
    kind: Kind | None
    name: str
    relation: str = ""


def find_subjects(working_set: WorkingSet) -> dict[UUID, list[Subject]]:
    """Return what each memory that holds is about, whom it tells something of first; nothing for one that names nobody."""
    found: dict[UUID, list[tuple[int, Subject]]] = defaultdict(list)
    for entity, rows in working_set.spoken_of.items():
        known = working_set.entities.get(entity)
        if known is None:
            continue
        subject = as_subject(known)
        for row, kind in rows.items():
            if working_set.nodes[row].alive:
                found[working_set.nodes[row].id].append((_ORDER.index(kind), subject))
    return {
        node: [subject for _, subject in sorted(each, key=lambda one: (one[0], one[1].key))]
        for node, each in found.items()
    }


def as_subject(entity: Known) -> Subject:
    """Return an entity as the pages show it."""
    name = entity.name or entity.relation or ""
    return Subject(
        key=str(entity.id),
        kind=Kind(entity.kind),
        name=name[:1].upper() + name[1:],
        relation=entity.relation or "" if entity.name else "",
    )
