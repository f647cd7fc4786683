"""A person's own packs: how many they may have, and how far one that came over the API is."""

from typing import Any
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound
from companion_site.vault.models import Space
from memory.api.errors import TooManyPacks
from memory.packs.limits import MOUNTS
from memory.packs.uploads import upload_state

#: As many as one space reads.
MOST = MOUNTS.packs


def check_room(person: Person) -> None:
    """Raise TooManyPacks where somebody has as many packs as they may, ready or not."""
    if Space.objects.filter(kind=Space.Kind.PACK, owner=person, closed_at__isnull=True).count() >= MOST:
        raise TooManyPacks()


def require_owned(person: Person, pack: UUID) -> None:
    """Raise NotFound unless a pack is this person's own."""
    spaces = Space.objects.filter(pk=pack, kind=Space.Kind.PACK, closed_at__isnull=True)
    if not spaces.filter(owner=person).exists():
        raise NotFound()


def tell_upload(person: Person, pack: UUID) -> dict[str, Any]:
    """Return how far an upload of this person is; of a refused one nothing is left but the record.

    Raises:
        NotFound: they uploaded no such pack, or it was removed since.
    """
    begun = AuditEvent.objects.filter(chain=pack, action="memory.pack_begun", actor_id=person.pk)
    if not begun.exists():
        raise NotFound()
    state = upload_state(pack)
    if state.pack is None and not state.reason:
        raise NotFound()
    row = state.pack
    return {
        "id": pack,
        "state": "refused" if row is None else row.state,
        "done": 0 if row is None else row.done,
        "nodes": 0 if row is None else row.node_count,
        "reason": state.reason,
    }
