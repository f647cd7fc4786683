"""Who works in a space: what every service that opens one takes first."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked


@dataclass(frozen=True)
class Access:
    """A person, a space that they may work in, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey

    @contextmanager
    def open(self) -> Iterator[UUID]:
        """Open the space for the length of the block."""
        with unlocked(self.space, self.key):
            yield self.space


def own_key(person: Person, space_key: SpaceKey | None) -> SpaceKey:
    """Return the key of a person's own space, if it is the one that is open.

    Raises:
        NotFound: they have no space of their own.
        SpaceLocked: it is not open in this session.
    """
    if not person.is_active or person.space_id is None:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return space_key


def student_access(person: Person, space_key: SpaceKey | None) -> Access:
    """Return a student's access to their own space: memory, ledger and map alike. Raises as `own_key`, for others NotFound."""
    if person.role != Person.Role.STUDENT:
        raise NotFound()
    key = own_key(person, space_key)
    return Access(person, key.space, key)
