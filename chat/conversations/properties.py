"""What a person sets of a conversation of their own: its name, its place in the list, what is typed in it, and whether it has memory.

Each of these raises NotFound where there is no such conversation of theirs.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from chat.access import ChatAccess, locked_conversation, own_conversation
from chat.conversations.deletion import restorable
from chat.models import Conversation
from chat.services import LISTED
from companion_site.errors import InvalidInput, MessageTooLong, NotFound
from companion_site.language import sanitise
from companion_site.vault.columns import seal_column
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import await_key, resume_work

LONGEST_TITLE = 100


def rename(access: ChatAccess, conversation: UUID, *, title: Any) -> None:
    """Give a person's own conversation a name, which is sealed as the first one was.

    Raises:
        InvalidInput: there are no words in it, or too many.
    """
    clean = " ".join(sanitise(title).split()) if isinstance(title, str) else ""
    if not 0 < len(clean) <= LONGEST_TITLE:
        raise InvalidInput()
    with space_scope(access.space), access.open():
        row = locked_conversation(access, conversation)
        row.title = clean
        row.save(update_fields=["title"])


def place(access: ChatAccess, conversation: UUID, **moments: datetime | None) -> None:
    """Say where a person's own conversation stands: `pinned_at` before the others, `archived_at` in the archive, with None in neither."""
    with space_scope(access.space):
        if not access.conversations.filter(pk=conversation).update(**moments):
            raise NotFound()


def list_archive(access: ChatAccess) -> list[Conversation]:
    """Return what the person has put away, the last put away first."""
    with space_scope(access.space):
        return list(access.conversations.archived()[:LISTED])


def has_archive(access: ChatAccess, *, now: datetime) -> bool:
    """Tell whether the person has put anything away, or deleted what they can have back."""
    with space_scope(access.space):
        return access.conversations.archived().exists() or restorable(access, now=now).exists()


def keep_draft(access: ChatAccess, conversation: UUID, *, text: str) -> None:
    """Keep what stands in the message box of a person's own conversation; the last that is kept stands.

    Raises:
        MessageTooLong: it could not be sent either.
    """
    if len(text) > settings.MESSAGE_MAX_CHARS:
        raise MessageTooLong(settings.MESSAGE_MAX_CHARS)
    clean = sanitise(text)
    with space_scope(access.space), access.open():
        box = seal_column(access.space, Conversation, "draft", conversation, clean) if clean.strip() else None
        if not access.conversations.filter(pk=conversation).update(draft=box):
            raise NotFound()


SWITCHED = "chat.memory_switched"


def switch_conversation(access: ChatAccess, conversation: UUID, *, on: bool, now: datetime) -> bool:
    """Switch the memory of a person's own conversation; return whether that changed anything.

    Whoever is writing into the memory has finished when this returns. What was said before it was switched off and had
    to wait is queued when it comes on; what was said while it was off is done with.
    """
    row = own_conversation(access, conversation)
    with write_scope(access.space):
        found = Conversation.objects.for_space(access.space).filter(pk=row.pk, memory_on=not on)
        changed = bool(found.update(memory_on=on))
        if changed:
            access.record(SWITCHED, row, now=now, on=on)
            if on and access.remembers:
                await_key(access.space, now=now)
    if changed and on and access.remembers:
        resume_work(access.key, now=now)
    return changed
