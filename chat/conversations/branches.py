"""A conversation's branches: of several versions of a message one stands in it, with what was said after it.

What does not stand there is set aside whole and unchanged, noting with which version, and comes back with that version.
Nothing that is set aside is shown, searched, exported, read for memories or given to a model.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from chat.access import ChatAccess
from chat.memories.due import await_silence
from chat.models import Conversation, Message
from companion_site.errors import InvalidInput
from companion_site.vault.scope import space_scope
from memory.models import Extraction
from memory.student.withdrawal import remember_again, withdraw


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
