"""A person's own packs over the REST API: how large one may be, how many they may have, and how far an upload is.

The size is asked at the door, since a pack lies on disk before a view sees it.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.errors import BadToken
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Scope
from companion_site.api.body import most_bytes, refuse_body
from companion_site.api.errors import NoToken
from companion_site.api.views import bearer_of
from companion_site.audit.models import AuditEvent
from companion_site.body_limits import Bound
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.models import Space
from memory.agents.mcp.server import DATABASE_LOST, in_thread
from memory.packs.limits import MOST_MOUNTED
from memory.packs.uploads import upload_state

#: As many as one space reads.
MOST = MOST_MOUNTED
#: of the file; larger packs come through the admin or by `manage.py import_pack`
PACK_BYTES = 128 * 2**20
#: what a form has beside its file
AROUND_BYTES = 64 * 2**10


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


class TooManyPacks(InvalidInput):
    code = "pack.too-many"
    message = _("You have as many packs of your own as you may. Remove one first.")


async def _most(headers: Mapping[str, str]) -> int:
    """Return how much may come: a whole pack of those who may take one in; the view tells the others why not."""
    if await in_thread(_may_upload, headers.get("authorization", "")):
        return PACK_BYTES + AROUND_BYTES
    return await most_bytes(headers)


def _may_upload(header: str) -> bool:
    try:
        return bearer_of(header, now=timezone.now()).may(Scope.PACKS)
    except (BadToken, NoToken, *DATABASE_LOST):
        return False


UPLOADS = Bound(takes=lambda path: path == reverse("api:upload_pack"), most=_most, refuse=refuse_body)
