"""How large a pack may be that comes over the REST API: asked at the door, since it lies on disk before a view sees it."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils import timezone

from companion_site.accounts.errors import BadToken
from companion_site.accounts.tokens import Scope
from companion_site.api.authentication import bearer_of
from companion_site.api.body_limits import most_bytes, refuse_body
from companion_site.api.errors import NoToken
from companion_site.body_limits import Bound
from memory.agents.mcp.server import DATABASE_LOST, in_thread

#: of the file; larger packs come through the admin or by `manage.py import_pack`
PACK_BYTES = 128 * 2**20
#: what a form has beside its file
AROUND_BYTES = 64 * 2**10


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


UPLOADS = Bound(takes=lambda path: path == reverse("api:uploads"), most=_most, refuse=refuse_body)
