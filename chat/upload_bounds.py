"""How large a form with a file, and a recording, may be: it stays in memory, since what goes to disk would lie there in plain text.

That a recording does is the rule only as long as `FILE_UPLOAD_MAX_MEMORY_SIZE` is no smaller (a system check).
"""

import json
import re
from collections.abc import Mapping

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from chat.voice.views import told
from companion_site.body_limits import Bound
from companion_site.voice.errors import RecordingRefused

#: what a form has beside its file
AROUND_BYTES = 64 * 2**10
#: below the list of conversations, where a message or a file is sent
_SENT = re.compile(r"[0-9a-f-]{36}/(say|attachments)/")


def most_in_form_mb() -> int:
    return settings.FILE_UPLOAD_MAX_MEMORY_SIZE // 2**20


async def _most_of_form(headers: Mapping[str, str]) -> int:
    return settings.FILE_UPLOAD_MAX_MEMORY_SIZE


async def _most_of_copy(headers: Mapping[str, str]) -> int:
    return settings.COPY_MAX_BYTES + AROUND_BYTES


async def _most_of_recording(headers: Mapping[str, str]) -> int:
    return settings.VOICE_MAX_BYTES


def _refuse() -> tuple[int, str, bytes]:
    return 413, "text/html; charset=utf-8", render_to_string("413.html").encode()


def _refuse_recording() -> tuple[int, str, bytes]:
    error = RecordingRefused("too-large")
    return error.status, "application/json", json.dumps(told(error)).encode()


#: A part of an export of another chat, a copy of a memory, and what is said with what is attached to it.
IMPORTS = Bound(
    takes=lambda path: path.startswith(reverse("chat:imports")), most=_most_of_form, refuse=_refuse
)
COPIES = Bound(takes=lambda path: path == reverse("chat:memory_copy"), most=_most_of_copy, refuse=_refuse)
MESSAGES = Bound(
    takes=lambda path: _SENT.fullmatch(path.removeprefix(reverse("chat:conversations"))) is not None,
    most=_most_of_form,
    refuse=_refuse,
)
RECORDINGS = Bound(
    takes=lambda path: path == reverse("chat:voice_transcripts"),
    most=_most_of_recording,
    refuse=_refuse_recording,
)
