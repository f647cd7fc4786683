"""What is typed and not sent yet: sealed on its conversation, so that it is there again after a reload and on another device."""

from uuid import UUID

from django.conf import settings

from chat.access import ChatAccess
from chat.models import Conversation
from companion_site.errors import MessageTooLong, NotFound
from companion_site.language import sanitise
from companion_site.vault import unlocked
from companion_site.vault.columns import seal_column
from companion_site.vault.scope import space_scope


def keep_draft(access: ChatAccess, conversation: UUID, *, text: str) -> None:
    """Keep what stands in the message box of a person's own conversation; the last that is kept stands.

    Raises:
        MessageTooLong: it could not be sent either.
        NotFound: there is no such conversation of theirs.
    """
    if len(text) > settings.MESSAGE_MAX_CHARS:
        raise MessageTooLong()
    clean = sanitise(text)
    with space_scope(access.space), unlocked(access.space, access.key):
        box = seal_column(access.space, Conversation, "draft", conversation, clean) if clean.strip() else None
        own = Conversation.objects.for_space(access.space).of_author(access.person)
        if not own.filter(pk=conversation).update(draft=box):
            raise NotFound()
