"""For whom a teacher opens concepts: a class, or one student; and what stands open to them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from companion_site.accounts.models import Person, SchoolClass
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from overlay.models import Opening
from overlay.services import close_opening, open_concept
from overlay.worlds import World, worlds


@dataclass(frozen=True)
class OpenNow:
    """A concept that stands open, by which row, since when."""

    id: UUID
    concept: UUID
    name: str
    how: str
    opened_at: datetime


@dataclass(frozen=True)
class Audience:
    """A class or a student, in the world of their school."""

    reader: SchoolClass | Person

    @property
    def kind(self) -> str:
        return "class" if isinstance(self.reader, SchoolClass) else "student"

    @property
    def name(self) -> str:
        return self.reader.name if isinstance(self.reader, SchoolClass) else self.reader.display_name

    @property
    def world(self) -> World:
        school = self.reader.school
        return worlds.get(school.world_space_id if school else None)

    def open_now(self) -> list[OpenNow]:
        """Return what stands open to this class or student itself, by name."""
        world = self.world
        if world.space is None:
            return []
        column = "school_class_id" if self.kind == "class" else "person_id"
        with space_scope(world.space):
            rows = Opening.objects.for_space(world.space).standing().filter(**{column: self.reader.pk})
            values = rows.values_list("id", "concept_id", "concept__name", "how", "opened_at")
            found = [OpenNow(*row) for row in values]
        return sorted(found, key=lambda item: (item.name.casefold(), item.id))

    def open(self, concepts: Iterable[UUID], *, by: Person, how: Opening.How, now: datetime) -> int:
        """Open concepts, all or none; return how many were given.

        Raises:
            NotFound: one of them is not of this school's world.
        """
        if self.reader.school is None:
            raise NotFound()
        given = sorted(set(concepts))
        meant: dict[str, Any] = {"for_class" if self.kind == "class" else "for_person": self.reader}
        with transaction.atomic():
            for concept in given:
                open_concept(self.reader.school, concept, by=by, how=how, now=now, **meant)
        return len(given)

    def take_back(self, opening: UUID, *, by: Person, now: datetime) -> None:
        """Take back what stands open to them.

        Raises:
            NotFound: it was opened for somebody else, or was taken back before.
        """
        if self.reader.school is None or opening not in {item.id for item in self.open_now()}:
            raise NotFound()
        close_opening(self.reader.school, opening, by=by, now=now)
