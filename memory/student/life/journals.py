"""The journals of a person's life, such as that of gratitude. The space is unlocked by the caller."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.columns import opener
from companion_site.vault.scope import space_scope, write_scope
from memory.models.life import Note
from memory.student.life.kinds import Journal
from memory.student.life.limits import LifeRefused, clean_words, find_same_words


@dataclass(frozen=True, kw_only=True)
class ShownNote:
    """A note in its person's words; `message_id` names the message that it came up in."""

    id: UUID
    text: str
    at: datetime
    message_id: UUID | None


def write_note(
    space: UUID,
    journal: Journal,
    text: str,
    *,
    now: datetime,
    actor: models.Model | None = None,
    message_id: UUID | None = None,
) -> Note:
    """Write something into a journal. From the same message the same words stand once.

    Raises:
        LifeRefused: nothing is said, or too much.
    """
    words = clean_words(text, most=journal.chars)
    Row = journal.model
    with write_scope(space):
        rows = Row.objects.for_space(space)
        earlier = find_same_words(rows.filter(message_id=message_id), words) if message_id else None
        if earlier is not None:
            return earlier
        if rows.count() >= journal.most:
            raise LifeRefused(why="too-many")
        row = rows.create(space_id=space, text=words, at=now, message_id=message_id)
        action = f"memory.{Row._meta.model_name}_logged"
        record_event(action, chain=space, actor=actor, subject=row, now=now)
    return row


def list_notes(
    space: UUID, journal: Journal, *, since: datetime | None = None, most: int | None = None
) -> list[ShownNote]:
    """Return the notes of a journal, the newest first."""
    Row = journal.model
    with space_scope(space):
        rows = Row.objects.for_space(space).order_by("-at", "-id")
        if since is not None:
            rows = rows.filter(at__gte=since)
        open_text = opener(space, Row, "text")
        return [
            ShownNote(id=pk, text=open_text(pk, box), at=at, message_id=message_id)
            for pk, box, at, message_id in rows.values_list("pk", "text", "at", "message_id")[:most]
        ]
