"""Finding the sentence of a reply that is to be said, and the tone it is said in."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.access import ChatAccess
from chat.models import Message
from chat.replies.live import is_live, live_replies
from chat.threads import in_thread
from chat.voice.sentences import split_spoken
from companion_site.language import Language
from companion_site.vault.scope import space_scope
from companion_site.voice.errors import VoiceError
from companion_site.voice.types import ToneParams

#: How often to look: at a reply that this process writes, and at one that another does.
HERE_S, ELSEWHERE_S = 0.05, 0.5


class SentenceNotYet(VoiceError):
    code = "voice.not-yet"
    message = _("This sentence has not been written yet.")
    status = 202
    retryable = True


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """A reply as far as it is written, or one sentence of it; and how it is to be said."""

    text: str = field(repr=False)
    is_whole: bool
    language: Language
    tone: ToneParams


async def find_sentence(access: ChatAccess, reply_id: UUID, number: int, *, wait_s: float) -> Spoken | None:
    """Return a sentence of the person's own reply, waiting for it while the reply is being written; None after the last.

    Raises:
        NotFound: there is no such reply, or it is somebody else's.
        SentenceNotYet: it was not complete in time.
    """
    ends = time.monotonic() + wait_s
    while True:
        reply = await read_reply(access, reply_id)
        sentences = split_spoken(reply.text, is_whole=reply.is_whole)
        if number < len(sentences):
            return replace(reply, text=sentences[number])
        if reply.is_whole:
            return None
        if time.monotonic() >= ends:
            raise SentenceNotYet()
        await _wait_for_more(reply_id, number, ends=ends)


async def read_reply(access: ChatAccess, reply_id: UUID) -> Spoken:
    """Return the person's own reply, with what this process has written of it beyond its row.

    Raises:
        NotFound: as above.
    """
    live = live_replies.get(reply_id)
    written = live.text if live is not None and live.state == Message.State.STREAMING else None
    return await in_thread(_load, access, reply_id, written)


def tone_of(outcome: Any) -> ToneParams:
    """Return the tone that a turn chose for its reply; a neutral one where it chose none."""
    told = outcome.get("tone") if isinstance(outcome, Mapping) else None
    if not isinstance(told, Mapping):
        return ToneParams()
    kinds: dict[str, Any] = {
        "stability": int | float,
        "similarity": int | float,
        "style": str,
        "speed": int | float,
    }
    return ToneParams(
        **{name: told[name] for name, kind in kinds.items() if isinstance(told.get(name), kind)}
    )


def _load(access: ChatAccess, reply_id: UUID, written: str | None) -> Spoken:
    """Return a reply by its row; what this process has `written` goes before the row, however long that has lain still."""
    with space_scope(access.space), access.open():
        own = Message.objects.for_space(access.space).of_author(access.person)
        row = own.find(pk=reply_id, role=Message.Role.COMPANION)
        is_here = written is not None and row.state == Message.State.STREAMING
        return Spoken(
            text=(written if is_here else row.text) or "",
            is_whole=not (is_here or is_live(row, now=timezone.now())),
            language=cast(Language, row.language or access.person.language),
            tone=tone_of(row.outcome),
        )


async def _wait_for_more(reply_id: UUID, number: int, *, ends: float) -> None:
    """Wait until this process has written that sentence or the reply's end, or until its row is worth another look."""
    live = live_replies.get(reply_id)
    if live is None or live.state != Message.State.STREAMING:
        await asyncio.sleep(ELSEWHERE_S)
        return
    seen = 0
    while live.state == Message.State.STREAMING and time.monotonic() < ends:
        if seen < len(live.pieces):
            seen = len(live.pieces)
            if number < len(split_spoken(live.text, is_whole=False)):
                return
        await asyncio.sleep(HERE_S)
