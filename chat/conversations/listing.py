"""The list of a person's conversations: a name of one's own, a place at the top of the list, and one out of the way."""

from datetime import datetime
from typing import Any
from uuid import UUID

from chat.access import ChatAccess, locked_conversation
from chat.conversations.deletion import restorable
from chat.models import Conversation
from chat.querysets import ConversationQuerySet
from chat.services import LISTED
from companion_site.errors import InvalidInput, NotFound
from companion_site.language import sanitise
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope

LONGEST_TITLE = 100


def rename(access: ChatAccess, conversation: UUID, *, title: Any) -> None:
    """Give a person's own conversation a name, which is sealed as the first one was.

    Raises:
        InvalidInput: there are no words in it, or too many.
        NotFound: there is no such conversation of theirs.
    """
    clean = " ".join(sanitise(title).split()) if isinstance(title, str) else ""
    if not 0 < len(clean) <= LONGEST_TITLE:
        raise InvalidInput()
    with space_scope(access.space), unlocked(access.space, access.key):
        row = locked_conversation(access, conversation)
        row.title = clean
        row.save(update_fields=["title"])


def pin(access: ChatAccess, conversation: UUID, *, at: datetime | None) -> None:
    """Have a person's own conversation stand before the others, or with None among them again.

    Raises:
        NotFound: there is no such conversation of theirs.
    """
    _change(access, conversation, pinned_at=at)


def put_away(access: ChatAccess, conversation: UUID, *, at: datetime | None) -> None:
    """Put a person's own conversation into the archive, or with None back into the list.

    Raises:
        NotFound: there is no such conversation of theirs.
    """
    _change(access, conversation, archived_at=at)


def list_archive(access: ChatAccess) -> list[Conversation]:
    """Return what the person has put away, the last put away first."""
    with space_scope(access.space):
        return list(_own(access).archived()[:LISTED])


def has_archive(access: ChatAccess, *, now: datetime) -> bool:
    """Tell whether the person has put anything away, or deleted what they can have back."""
    with space_scope(access.space):
        return _own(access).archived().exists() or restorable(access, now=now).exists()


def _change(access: ChatAccess, conversation: UUID, **fields: datetime | None) -> None:
    with space_scope(access.space):
        if not _own(access).filter(pk=conversation).update(**fields):
            raise NotFound()


def _own(access: ChatAccess) -> ConversationQuerySet:
    return Conversation.objects.for_space(access.space).of_author(access.person)
