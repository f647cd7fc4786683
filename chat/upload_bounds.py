"""How large a form with a file, and a recording, may be: it stays in memory, since what goes to disk would lie there in plain text.

That a recording does is the rule only as long as `FILE_UPLOAD_MAX_MEMORY_SIZE` is no smaller (a system check).
"""

import json
import re
from collections.abc import Callable, Mapping

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from companion_site.body_limits import Bound
from companion_site.error_pages import as_json
from companion_site.voice.errors import RecordingRefused

Refuse = Callable[[], tuple[int, str, bytes]]
#: what a form has beside its file
AROUND_BYTES = 64 * 2**10
#: below the list of conversations, where a message or a file is sent
_SENT = re.compile(r"[0-9a-f-]{36}/(say|attachments)/")


def _refuse() -> tuple[int, str, bytes]:
    return 413, "text/html; charset=utf-8", render_to_string("413.html").encode()


def _refuse_recording() -> tuple[int, str, bytes]:
    error = RecordingRefused(why="too-large")
    return error.status, "application/json", json.dumps(as_json(error)).encode()


def _bound(takes: Callable[[str], bool], most: Callable[[], int], refuse: Refuse = _refuse) -> Bound:
    async def most_bytes(headers: Mapping[str, str]) -> int:
        return most()

    return Bound(takes=takes, most=most_bytes, refuse=refuse)


#: A part of an export of another chat, a copy of a memory, and what is said with what is attached to it.
IMPORTS = _bound(
    lambda path: path.startswith(reverse("chat:imports")), lambda: settings.FILE_UPLOAD_MAX_MEMORY_SIZE
)
COPIES = _bound(
    lambda path: path == reverse("chat:memory_copy"), lambda: settings.COPY_MAX_BYTES + AROUND_BYTES
)
MESSAGES = _bound(
    lambda path: _SENT.fullmatch(path.removeprefix(reverse("chat:conversations"))) is not None,
    lambda: settings.FILE_UPLOAD_MAX_MEMORY_SIZE,
)
RECORDINGS = _bound(
    lambda path: path == reverse("chat:voice_transcripts"),
    lambda: settings.VOICE_MAX_BYTES,
    _refuse_recording,
)
