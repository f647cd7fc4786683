"""Who may chat where: a person's own space, or their company's.

Every view and socket comes through here; what is not a person's own looks like what does not exist.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model

from chat.models import Conversation
from chat.querysets import ConversationQuerySet
from companion_site.accounts.access import Access, own_key
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.vault.boxes import OpenSpaceKey, SpaceKey
from companion_site.vault.scope import space_scope
from companion_site.vault.services import await_key, grant_lease


@dataclass(frozen=True)
class ChatAccess(Access):
    """A person, the space their conversations are rows of, and the key that opens it."""

    @property
    def at_work(self) -> bool:
        """Whether a company's memory is talked with."""
        return self.person.role == Person.Role.BUSINESS

    @property
    def remembers(self) -> bool:
        """Whether what is said here forms memories: in sealed personal spaces."""
        return not isinstance(self.key, OpenSpaceKey)

    @property
    def conversations(self) -> ConversationQuerySet:
        """The person's own conversations, which they have not deleted; read inside the space's scope."""
        return Conversation.objects.for_space(self.space).of_author(self.person)

    def record(self, action: str, subject: Model, *, now: datetime, **data: Any) -> None:
        """Put on record what the person did here, in the transaction that does it; as `record_event`."""
        record_event(action, chain=self.space, actor=self.person, subject=subject, data=data, now=now)

    def lets_worker_in(self, *, now: datetime) -> bool:
        """Let the worker open this space for a job; False where it may not: the space then notes that work is due."""
        if isinstance(self.key, OpenSpaceKey) or grant_lease(self.key, now=now):
            return True
        await_key(self.space, now=now)
        return False


def chat_access(person: Person, space_key: SpaceKey | None) -> ChatAccess:
    """Return where a person chats.

    Raises:
        NotFound: people of this role do not chat.
        SpaceLocked: their space is not open in this session.
    """
    if not person.can_chat:
        raise NotFound()
    key = own_key(person, space_key)
    if person.role == Person.Role.BUSINESS:
        if person.company is None or person.company.space_id is None:
            raise NotFound()
        return ChatAccess(person, person.company.space_id, OpenSpaceKey(person.company.space_id))
    return ChatAccess(person, key.space, key)


def access_of(request: PersonRequest) -> ChatAccess:
    """Return where whoever asks for a page chats. Raises as `chat_access`."""
    return chat_access(request.user, request.space_key)


def personal_chat_access(person: Person, space_key: SpaceKey | None) -> ChatAccess:
    """Return where a person chats with their own companion; as `chat_access`, and NotFound for a company's."""
    access = chat_access(person, space_key)
    if not access.remembers:
        raise NotFound()
    return access


def own_conversation(access: ChatAccess, conversation: UUID) -> Conversation:
    """Return one of the person's own conversations, inside or outside a scope.

    Raises:
        NotFound: there is none of that id, or it is somebody else's.
    """
    with space_scope(access.space):
        return access.conversations.find(pk=conversation)


def locked_conversation(access: ChatAccess, conversation: UUID) -> Conversation:
    """Return the person's own conversation, which nobody else changes until the transaction ends.

    Raises:
        NotFound: there is none of that id, or it is somebody else's.
    """
    return access.conversations.select_for_update(no_key=True).find(pk=conversation)
