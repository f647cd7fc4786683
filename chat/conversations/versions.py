"""The versions of a message: which there are, going from one to another, and the branch of the conversation that each begins.

There are several where a person wrote their last message anew, or had its reply written anew. One of them stands in the
conversation, with what was said after it. What does not stand there is set aside whole and unchanged, noting with which
version, and comes back with that version. Nothing that is set aside is shown, searched, exported, read for memories or given
to a model.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from chat.access import ChatAccess, locked_conversation
from chat.memories.due import await_silence
from chat.models import Conversation, Message
from chat.notices import announce_turned
from chat.replies.live import is_live
from companion_site.errors import InvalidInput
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import await_key, resume_work
from memory.models import Extraction
from memory.student.withdrawal import remember_again, withdraw


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
    with write_scope(access.space), access.open():
        row = locked_conversation(access, conversation)
        messages = Message.objects.for_space(access.space).filter(conversation=row)
        wanted = messages.find(pk=version)
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


def set_aside(access: ChatAccess, row: Conversation, version: Message, *, now: datetime) -> None:
    """Set a version aside with all that was said after it; what was remembered of it is withdrawn.

    The caller has locked the space and the conversation, and unlocked the space.

    Raises:
        InvalidInput: a company's memory has it already.
    """
    check_unread(access, row, version)
    messages = Message.objects.for_space(access.space).filter(conversation=row)
    gone = list(messages.current().filter(position__gte=version.position).values_list("pk", flat=True))
    messages.filter(pk__in=gone).update(set_aside_with=version.pk)
    if access.remembers:
        withdraw(access.space, gone, now=now, actor=access.person)
    _read_again(row, version)


def check_unread(access: ChatAccess, row: Conversation, version: Message) -> None:
    """Refuse to take back what a company's memory has or is just reading: that is not one person's to take back.

    Raises:
        InvalidInput: it has.
    """
    if access.remembers:
        return
    with space_scope(access.space):
        readings = Extraction.objects.for_space(access.space).exclude(state=Extraction.State.FAILED)
        is_read = readings.filter(conversation_id=row.pk, until_position__gte=version.position).exists()
    if is_read or version.position <= row.extracted_until:
        raise InvalidInput(
            _("This is part of your company's memory already. Say in a new message what is different.")
        )


def bring_back(access: ChatAccess, row: Conversation, version: Message, *, now: datetime) -> None:
    """Have a version stand in the conversation again, with what was said after it and what was remembered of that."""
    messages = Message.objects.for_space(access.space).filter(conversation=row)
    back = list(messages.filter(set_aside_with=version.pk).values_list("pk", flat=True))
    messages.filter(pk__in=back).update(set_aside_with=None)
    if access.remembers:
        remember_again(access.space, back, now=now, actor=access.person)
    _read_again(row, version)
    row.save(update_fields=await_silence(access, row, now=now))


def _read_again(row: Conversation, version: Message) -> None:
    """Have the conversation read and summarised from this version on: what came after it was another branch."""
    row.extracted_until = min(row.extracted_until, version.position - 1)
    if row.summarised_until >= version.position:
        row.summary, row.summarised_until = None, 0
    row.save(update_fields=["extracted_until", "summary", "summarised_until"])
