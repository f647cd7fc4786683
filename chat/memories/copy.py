"""Taking one's whole memory along: the copy itself (memory/copies), with the words of the messages that it came from."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone, translation

from chat.memories.quotes import read_quotes
from chat.models import Conversation
from companion_site.audit.services import record_event
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.packs.mounts import mounted
from memory.student.copies.exporter import Original, original, write_json, write_markdown
from memory.student.pages.access import MemoryAccess

WRITERS: Mapping[str, tuple[str, str, Callable[[Original], Iterator[str]]]] = {
    "json": ("json", "application/json", write_json),
    "markdown": ("md", "text/markdown; charset=utf-8", write_markdown),
}


def begin_copy(access: MemoryAccess, *, form: str, now: datetime) -> tuple[str, str, Iterator[str]]:
    """Put a copy on record; return the file's name, its type, and its pieces, which are read as they are taken.

    Args:
        form: "json" or "markdown".
    """
    ending, content_type, write = WRITERS[form]
    with space_scope(access.space):
        record_event("memory.copied", chain=access.space, actor=access.person, data={"form": form}, now=now)
    copied = original(
        access.space,
        access.key,
        at=now,
        quotes=partial(read_quotes, access.space),
        references={
            "conversations": partial(_conversations, access),
            "packs": partial(_packs, access),
        },
    )
    name = f"memory-{timezone.localtime(now):%Y-%m-%d}.{ending}"
    return name, content_type, _in_language(write(copied), translation.get_language())


def _in_language(pieces: Iterator[str], language: str | None) -> Iterator[str]:
    """Yield pieces that are each made in a language, whatever is active where they are taken."""
    while True:
        with translation.override(language):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece


def _conversations(access: MemoryAccess) -> list[dict[str, Any]]:
    with space_scope(access.space), unlocked(access.space, access.key):
        rows = Conversation.objects.for_space(access.space).of_author(access.person).order_by("pk")
        return [{"id": row.pk, "title": row.title or "", "begun_at": row.created_at} for row in rows]


def _packs(access: MemoryAccess) -> list[dict[str, Any]]:
    with unlocked(access.space, access.key):
        packs = mounted(access.space)
    return [{"id": pack.key, "name": pack.name, "version": pack.pack_version} for pack in packs]
