"""Taking a conversation along as a file: Markdown to read, JSON for programs; written piece by piece, and on record by its id."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.access import ChatAccess
from chat.models import Conversation, Message
from companion_site.audit.services import record_event
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope

#: Messages read in one short transaction.
BATCH = 200
LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Export:
    """A conversation that is taken along, with the words that stand around it in the person's language."""

    access: ChatAccess
    row: Conversation
    title: str
    exported_at: datetime
    sides: Mapping[str, str]
    removed: str


def begin_export(
    access: ChatAccess, row: Conversation, *, form: str, now: datetime
) -> tuple[str, Iterator[str]]:
    """Put an export on record; return the file's name and its pieces, which are read from the database as they are taken.

    Args:
        row: the person's own conversation.
        form: "markdown" or "json".
    """
    with unlocked(access.space, access.key):
        title = row.title or _("New conversation")
    with space_scope(access.space):
        record_event(
            "chat.conversation_exported",
            chain=access.space,
            actor=access.person,
            subject=row,
            data={"form": form},
            now=now,
        )
    sides = {Message.Role.PERSON.value: _("You"), Message.Role.COMPANION.value: _("Companion")}
    export = Export(
        access=access,
        row=row,
        title=title,
        exported_at=now,
        sides=sides,
        removed=_("The words of this message have been removed."),
    )
    ending, write = WRITERS[form]
    return f"{_safe(title)}-{timezone.localtime(row.created_at):%Y-%m-%d}.{ending}", write(export)


def write_markdown(export: Export) -> Iterator[str]:
    """Yield a text with a heading for the conversation and one for each message."""
    yield f"# {export.title}\n"
    for messages in _batches(export):
        for message, text in messages:
            at = timezone.localtime(message.said_at)
            yield f"\n## {export.sides[message.role]}, {at:%Y-%m-%d %H:%M}\n\n"
            yield f"*{export.removed}*\n" if text is None else f"{text.strip()}\n"


def write_json(export: Export) -> Iterator[str]:
    """Yield one JSON object that holds each message: its id, who said it ("person" or "companion"), when, and its text."""
    head = {
        "id": str(export.row.pk),
        "title": export.title,
        "created_at": _moment(export.row.created_at),
        "exported_at": _moment(export.exported_at),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "messages": ['
    separator = "\n"
    for messages in _batches(export):
        for message, text in messages:
            told = {
                "id": str(message.pk),
                "who": message.role,
                "at": _moment(message.said_at),
                "text": text,
            }
            yield separator + json.dumps(told, ensure_ascii=False)
            separator = ",\n"
    yield "\n]}\n"


WRITERS: Mapping[str, tuple[str, Callable[[Export], Iterator[str]]]] = {
    "markdown": ("md", write_markdown),
    "json": ("json", write_json),
}
CONTENT_TYPES = {"markdown": "text/markdown; charset=utf-8", "json": "application/json"}


def _batches(export: Export) -> Iterator[list[tuple[Message, str | None]]]:
    """Yield messages with their words (None: they were removed), each lot opened in a transaction of its own."""
    access, last = export.access, 0
    while True:
        with space_scope(access.space), unlocked(access.space, access.key):
            rows = Message.objects.for_space(access.space).of_author(access.person).current()
            rows = rows.filter(conversation=export.row, position__gt=last).order_by("position")
            lot = [(row, None if row.text_removed_at is not None else row.text or "") for row in rows[:BATCH]]
        if not lot:
            return
        yield lot
        last = lot[-1][0].position


def _safe(title: str) -> str:
    """Return a title as the name of a file on any machine: Latin letters, digits, hyphens and underscores."""
    return slugify(title)[:LONGEST_NAME].strip("-_") or "conversation"


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
