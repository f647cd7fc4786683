"""The gratitude journal. The space is unlocked by the caller."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.columns import opener
from companion_site.vault.scope import lock_space, space_scope
from memory.models import Gratitude
from memory.student.life.limits import LIFE, TooMany, clean_words, find_same_words


@dataclass(frozen=True, kw_only=True)
class ShownGratitude:
    """One thing that somebody is grateful for."""

    id: UUID
    text: str
    at: datetime
    message_id: UUID | None


def log_gratitude(
    space: UUID,
    text: str,
    *,
    now: datetime,
    actor: models.Model | None = None,
    message_id: UUID | None = None,
) -> Gratitude:
    """Write down what somebody is grateful for. From the same message the same words stand once.

    Raises:
        NothingSaid, TooLong, TooMany.
    """
    words = clean_words(text, most=LIFE.gratitude_chars)
    with space_scope(space):
        lock_space(space)
        rows = Gratitude.objects.for_space(space)
        earlier = find_same_words(rows.filter(message_id=message_id), words) if message_id else None
        if earlier is not None:
            return earlier
        if rows.count() >= LIFE.gratitude:
            raise TooMany()
        row = Gratitude.objects.create(space_id=space, text=words, at=now, message_id=message_id)
        record_event("memory.gratitude_logged", chain=space, actor=actor, subject=row, now=now)
    return row


def list_gratitude(
    space: UUID, *, since: datetime | None = None, most: int | None = None
) -> list[ShownGratitude]:
    """Return the entries of a space, the newest first."""
    with space_scope(space):
        rows = Gratitude.objects.for_space(space).order_by("-at", "-id")
        if since is not None:
            rows = rows.filter(at__gte=since)
        open_text = opener(space, Gratitude, "text")
        return [
            ShownGratitude(id=pk, text=open_text(pk, box), at=at, message_id=message_id)
            for pk, box, at, message_id in rows.values_list("pk", "text", "at", "message_id")[:most]
        ]
