"""How large a copy of a memory may be that is sent in: asked at the door. It stays in memory, since it is not sealed."""

from collections.abc import Mapping

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from companion_site.bounding import Bound

#: what a form has beside its file
AROUND_BYTES = 64 * 2**10


async def _most(headers: Mapping[str, str]) -> int:
    return settings.COPY_MAX_BYTES + AROUND_BYTES


def _refuse() -> tuple[int, str, bytes]:
    return 413, "text/html; charset=utf-8", render_to_string("413.html").encode()


COPIES = Bound(takes=lambda path: path == reverse("chat:memory_copy"), most=_most, refuse=_refuse)
