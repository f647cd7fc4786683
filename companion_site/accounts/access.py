"""Whose space somebody works with, and the key that opens it: what services take first."""

from dataclasses import dataclass
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey


@dataclass(frozen=True)
class Access:
    """A person, a space that they may work with, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey


def student_access(person: Person, space_key: SpaceKey | None) -> Access:
    """Return a student's own space: to everybody else there is none.

    Raises:
        NotFound: people of this role have none.
        SpaceLocked: it is not open in this session.
    """
    if not person.is_active or person.role != Person.Role.STUDENT or person.space_id is None:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return Access(person, person.space_id, space_key)
