"""How large a request with a part of an export may be: it stays in memory, since what goes to disk would lie there in plain text."""

from collections.abc import Mapping

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from companion_site.bounding import Bound


def most_in_form_mb() -> int:
    return settings.FILE_UPLOAD_MAX_MEMORY_SIZE // 2**20


async def _most(headers: Mapping[str, str]) -> int:
    return settings.FILE_UPLOAD_MAX_MEMORY_SIZE


def _refuse() -> tuple[int, str, bytes]:
    return 413, "text/html; charset=utf-8", render_to_string("413.html").encode()


IMPORTS = Bound(takes=lambda path: path.startswith(reverse("chat:imports")), most=_most, refuse=_refuse)
