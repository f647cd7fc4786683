"""Taking a conversation along as a file: Markdown to read, JSON for programs; written piece by piece, and on record by its id.

What was attached is in it, opened one by one as it is written.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone, translation
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.access import ChatAccess
from chat.attachments.files import TEXT_TYPE, CheckedFile
from chat.attachments.store import attachments_of, open_attachment
from chat.models import Conversation, Message
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope

#: Messages read in one short transaction.
BATCH = 200
LONGEST_NAME = 60
_BRACKETS = str.maketrans("[]<>`", "()()'")


class Entry(NamedTuple):
    """A message with its words (None: they were removed) and the ids of what was attached to it."""

    message: Message
    text: str | None
    attached: Sequence[UUID]


def begin_export(
    access: ChatAccess, row: Conversation, *, form: str, now: datetime
) -> tuple[str, str, Iterator[str]]:
    """Put an export on record; return the file's name, its type, and its pieces, which are read as they are taken.

    Args:
        row: the person's own conversation.
        form: "markdown" or "json".
    """
    with access.open():
        title = row.title or _("New conversation")
    with space_scope(access.space):
        access.record("chat.conversation_exported", row, now=now, form=form)
    ending, content_type, write = WRITERS[form]
    name = f"{_safe(title)}-{timezone.localtime(row.created_at):%Y-%m-%d}.{ending}"
    return name, content_type, in_language(write(access, row, title, now), translation.get_language())


def in_language(pieces: Iterator[str], language: str | None) -> Iterator[str]:
    """Yield pieces that are each made in a language, whatever is active where they are taken."""
    while True:
        with translation.override(language):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece


def write_markdown(access: ChatAccess, row: Conversation, title: str, now: datetime) -> Iterator[str]:
    """Yield a text with a heading for the conversation and one for each message."""
    yield f"# {title}\n"
    for message, text, attached in _entries(access, row):
        side = _("You") if message.role == Message.Role.PERSON else _("Companion")
        yield f"\n## {side}, {timezone.localtime(message.said_at):%Y-%m-%d %H:%M}\n\n"
        removed = _("The words of this message have been removed.")
        yield f"*{removed}*\n" if text is None else f"{text.strip()}\n"
        yield from map(_in_markdown, _open(access, attached))


def write_json(access: ChatAccess, row: Conversation, title: str, now: datetime) -> Iterator[str]:
    """Yield one JSON object that holds each message: its id, who said it ("person" or "companion"), when, and its text."""
    head = {
        "id": str(row.pk),
        "title": title,
        "created_at": _moment(row.created_at),
        "exported_at": _moment(now),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "messages": ['
    separator = "\n"
    for message, text, attached in _entries(access, row):
        told: dict[str, Any] = {
            "id": str(message.pk),
            "who": message.role,
            "at": _moment(message.said_at),
            "text": text,
        }
        if attached:
            told["attachments"] = [_in_json(opened) for opened in _open(access, attached)]
        yield separator + json.dumps(told, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}\n"


WRITERS: Mapping[str, tuple[str, str, Callable[[ChatAccess, Conversation, str, datetime], Iterator[str]]]] = {
    "markdown": ("md", "text/markdown; charset=utf-8", write_markdown),
    "json": ("json", "application/json", write_json),
}


def _entries(access: ChatAccess, row: Conversation) -> Iterator[Entry]:
    """Yield messages with their words, each lot opened in a transaction of its own."""
    last = 0
    while True:
        with space_scope(access.space), access.open():
            rows = Message.objects.for_space(access.space).of_author(access.person).current()
            messages = list(rows.filter(conversation=row, position__gt=last).order_by("position")[:BATCH])
            attached = attachments_of(access.space, [message.pk for message in messages])
            lot = [
                Entry(
                    message,
                    None if message.text_removed_at is not None else message.text or "",
                    [one.pk for one in attached.get(message.pk, ())],
                )
                for message in messages
            ]
        if not lot:
            return
        yield from lot
        last = lot[-1].message.position


def _open(access: ChatAccess, attached: Sequence[UUID]) -> Iterator[CheckedFile]:
    for one in attached:
        with suppress(NotFound):  # it has gone meanwhile
            yield open_attachment(access, one)


def _in_markdown(opened: CheckedFile) -> str:
    """Return a picture to look at, or a file between marks that are longer than any in it."""
    name = opened.name.translate(_BRACKETS)
    if opened.media_type != TEXT_TYPE:
        return f"\n![{name}](data:{opened.media_type};base64,{base64.b64encode(opened.content).decode()})\n"
    text = opened.content.decode()
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"\n{name}\n\n{marks}\n{text.rstrip()}\n{marks}\n"


def _in_json(opened: CheckedFile) -> dict[str, str]:
    told = {"name": opened.name, "type": opened.media_type}
    if opened.media_type == TEXT_TYPE:
        return {**told, "text": opened.content.decode()}
    return {**told, "base64": base64.b64encode(opened.content).decode()}


def _safe(title: str) -> str:
    """Return a title as the name of a file on any machine: Latin letters, digits, hyphens and underscores."""
    return slugify(title)[:LONGEST_NAME].strip("-_") or "conversation"


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
