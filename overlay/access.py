"""Who has a map: students, of what is in their own space. Everybody else finds nothing there."""

from dataclasses import dataclass
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey


@dataclass(frozen=True)
class OverlayAccess:
    """A student, the space their overlay is in, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey


def overlay_access(person: Person, space_key: SpaceKey | None) -> OverlayAccess:
    """Return where a student's overlay is.

    Raises:
        NotFound: people of this role have no overlay.
        SpaceLocked: their space is not open in this session.
    """
    if not person.is_active or person.role != Person.Role.STUDENT:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return OverlayAccess(person, space_key.space, space_key)
