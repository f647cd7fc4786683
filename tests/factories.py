"""Builders of what tests need, with fixed values."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from chat.access import ChatAccess
from chat.models import Conversation, Message
from chat.services import begin_conversation
from companion_site.accounts import invitations
from companion_site.accounts.models import Person
from companion_site.accounts.services import (
    Joined,
    begin_space,
    create_company,
    create_invited_person,
    create_person,
    personal_space,
)
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey, SpaceKey
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope
from companion_site.vault.services import unlock

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
PASSWORD = "correct horse battery"
RECOVERY_CODE = re.compile(r"(?:[A-Z2-7]{4}-){7}[A-Z2-7]{4}")


def make_student(username: str = "ada", **overrides) -> Joined:
    """Make a student with a sealed space, who has been welcomed."""
    fields = {"display_name": username.title(), "role": Person.Role.STUDENT, "language": "en", **overrides}
    fields.setdefault("welcomed_at", NOW)
    password = fields.pop("password", PASSWORD)
    return create_person(username, password=password, now=NOW, **fields)


def make_invited_student(username: str = "nora", **overrides) -> Person:
    """Make a student who has not chosen a password: without a space."""
    fields = {"display_name": username.title(), "role": Person.Role.STUDENT, "language": "en", **overrides}
    return create_invited_person(username, now=NOW, actor=None, **fields)


def make_business_user(username: str = "bo", *, company: str = "Demo AB", **overrides) -> Person:
    """Make a business user of a new company, or of the one given as `company=`."""
    owner = create_company(company, now=NOW) if isinstance(company, str) else company
    return make_student(username, role=Person.Role.BUSINESS, company=owner, **overrides).person


def open_space(person: Person, password: str = PASSWORD) -> SpaceKey:
    """Return the key of a person's space, as log-in opens it."""
    return _copied(
        unlock(personal_space(person), kind=KeySlot.Kind.PASSWORD, secret=password, now=NOW, actor=person)
    )


def _copied(key: SpaceKey) -> SpaceKey:
    """Return a key of the test's own, which no log-out wipes."""
    return SpaceKey(key.space, bytes(key.data_key))


def reset_password(person: Person, password: str) -> None:
    """Take a person's password away as staff do, and have them choose another without their recovery code."""
    invited = invitations.reset_password(person, now=NOW, actor=None)
    invitations.accept(invited.code, password=password, now=NOW)


def make_access(username: str = "ada", **overrides) -> ChatAccess:
    """Make a student who may chat, with the key as they have it when they have just joined."""
    person = make_invited_student(username, **{"welcomed_at": NOW, **overrides})
    key, _code = begin_space(person, password=PASSWORD, now=NOW)
    return ChatAccess(person, person.space_id, _copied(key))


def access_of(person: Person) -> ChatAccess:
    """Return somebody's access to their own space."""
    return ChatAccess(person, person.space_id, open_space(person))


def make_company_access(person: Person) -> ChatAccess:
    space: UUID = person.company.space_id
    return ChatAccess(person, space, OpenSpaceKey(space))


def fill_conversation(access: ChatAccess, texts: Sequence[str], *, now: datetime = NOW) -> Conversation:
    """Make a conversation of messages by both in turn, a minute apart, of which nothing is to be remembered and no reply is under way."""
    row = begin_conversation(access, now=now)
    with space_scope(access.space), unlocked(access.space, access.key):
        Message.objects.bulk_create(
            Message(
                space_id=access.space,
                conversation=row,
                position=position,
                role=Message.Role.PERSON if position % 2 else Message.Role.COMPANION,
                text=text,
                said_at=now - timedelta(minutes=len(texts) - position),
                formed_at=now,
            )
            for position, text in enumerate(texts, start=1)
        )
    return row
