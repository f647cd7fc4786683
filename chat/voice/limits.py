"""How large a recording may be: it stays in memory, as long as `FILE_UPLOAD_MAX_MEMORY_SIZE` is no smaller (a system check)."""

import json
from collections.abc import Mapping

from django.conf import settings
from django.urls import reverse

from chat.voice.errors import told
from companion_site.body_limits import Bound
from companion_site.voice.errors import RecordingTooLarge


async def _most(headers: Mapping[str, str]) -> int:
    return settings.VOICE_MAX_BYTES


def _refuse() -> tuple[int, str, bytes]:
    error = RecordingTooLarge()
    return error.status, "application/json", json.dumps(told(error)).encode()


RECORDINGS = Bound(takes=lambda path: path == reverse("chat:voice_transcripts"), most=_most, refuse=_refuse)
