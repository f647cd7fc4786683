"""The versions of a message: which there are, and going from one to another.

There are several where a person wrote their last message anew, or had its reply written anew.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from chat.access import ChatAccess, locked_conversation
from chat.conversations.branches import bring_back, set_aside
from chat.models import Message
from chat.notices import announce_turned
from chat.services import is_live
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault import unlocked
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import await_key, resume_work


@dataclass(frozen=True, kw_only=True)
class Versions:
    """Where a message stands among its versions, the first of which has number 1, and which are next to it."""

    number: int
    count: int
    before: UUID | None
    after: UUID | None


def versions_of(space: UUID, messages: Iterable[Message]) -> dict[UUID, Versions]:
    """Return the place of each message that there are several versions of; asked inside the space's scope."""
    firsts = {message.pk: message.version_of or message.pk for message in messages}
    groups: defaultdict[UUID, list[UUID]] = defaultdict(list)
    later = Message.objects.for_space(space).filter(version_of__in=set(firsts.values()))
    for version, first in later.order_by("position").values_list("pk", "version_of"):
        groups[first].append(version)
    return {
        message: _place(message, [first, *groups[first]])
        for message, first in firsts.items()
        if first in groups
    }


def _place(message: UUID, versions: list[UUID]) -> Versions:
    number = versions.index(message)
    return Versions(
        number=number + 1,
        count=len(versions),
        before=versions[number - 1] if number else None,
        after=versions[number + 1] if number + 1 < len(versions) else None,
    )


def show_version(access: ChatAccess, conversation: UUID, version: UUID, *, now: datetime) -> None:
    """Have one version of a message stand in a person's own conversation, in the place of the one that does.

    Raises:
        NotFound: there is no such message in a conversation of theirs.
        InvalidInput: a reply is being written, or a company's memory has what would go.
    """
    with space_scope(access.space), unlocked(access.space, access.key):
        lock_space(access.space)
        row = locked_conversation(access, conversation)
        messages = Message.objects.for_space(access.space).filter(conversation=row)
        wanted = messages.filter(pk=version).first()
        if wanted is None:
            raise NotFound()
        first = wanted.version_of or wanted.pk
        shown = messages.current().filter(Q(pk=first) | Q(version_of=first)).first()
        if shown is None or shown.pk == version:
            return  # it is there already, or belongs to what is set aside itself
        if any(is_live(reply, now=now) for reply in messages.current().filter(position__gt=shown.position)):
            raise InvalidInput()
        set_aside(access, row, shown, now=now)
        bring_back(access, row, wanted, now=now)
        if access.remembers:
            await_key(access.space, now=now)
    announce_turned(conversation)
    if access.remembers:
        resume_work(access.key, now=now)
