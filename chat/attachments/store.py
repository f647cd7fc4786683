"""Attachments as rows: sealed as they come in, kept until their message is sent, and gone with it.

What is attached waits on its conversation, as a draft does, so it is there again after a reload and on another device.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.access import ChatAccess, locked_conversation, own_conversation
from chat.attachments.files import ATTACHMENTS, CheckedFile, check_file
from chat.models import Attachment, Message
from companion_site.errors import InvalidInput
from companion_site.vault.scope import space_scope


def add(access: ChatAccess, conversation: UUID, *, name: str, content: bytes, now: datetime) -> Attachment:
    """Check a file and keep it until the person's next message there is sent.

    Raises:
        NotFound: there is no such conversation of theirs.
        InvalidInput: the file cannot be attached, or as many wait as a message takes.
    """
    own_conversation(access, conversation)
    file = check_file(name, content)
    with space_scope(access.space), access.open():
        row = locked_conversation(access, conversation)
        if Attachment.objects.for_space(access.space).filter(conversation=row).waiting().count() >= (
            ATTACHMENTS.per_message
        ):
            raise InvalidInput(_too_many())
        return Attachment.objects.create(
            space_id=access.space,
            conversation=row,
            type=file.media_type,
            size=len(file.content),
            width=file.width,
            height=file.height,
            added_at=now,
            name=file.name,
            content=file.content,
        )


def remove(access: ChatAccess, attachment: UUID) -> None:
    """Throw away what waits to be sent; what belongs to a message stays with it."""
    with space_scope(access.space):
        Attachment.objects.for_space(access.space).of_author(access.person).waiting().filter(
            pk=attachment
        ).delete()


def attach(message: Message, chosen: Sequence[UUID], *, old: Message | None = None) -> None:
    """Have attachments go with a message: what waits, and copies of what hangs on the version before.

    The caller has locked the conversation and unlocked the space.

    Raises:
        InvalidInput: there are too many, or one is not there any more.
    """
    if not chosen:
        return
    if len(set(chosen)) > ATTACHMENTS.per_message:
        raise InvalidInput(_too_many())
    here = Attachment.objects.for_space(message.space_id).filter(conversation=message.conversation_id)
    may_go = Q(message=None) if old is None else Q(message=None) | Q(message=old)
    found = list(here.filter(may_go, pk__in=chosen).unopened())
    if len(found) != len(set(chosen)):
        raise InvalidInput(_("Something attached is not there any more. Attach it again."))
    for row in found:
        if row.message_id is None:
            row.message = message
            row.save(update_fields=["message"])
        else:
            _copy(row, message)


def waiting_in(access: ChatAccess, conversation: UUID) -> list[Attachment]:
    """Return what waits in the message box of a person's own conversation, names and sizes alone."""
    with space_scope(access.space):
        rows = Attachment.objects.for_space(access.space).of_author(access.person).waiting()
        return list(rows.filter(conversation=conversation).unopened())


def attachments_of(space: UUID, messages: Iterable[UUID]) -> dict[UUID, list[Attachment]]:
    """Return what goes with each of these messages, names and sizes alone; inside the space's scope."""
    found: dict[UUID, list[Attachment]] = {}
    for row in Attachment.objects.for_space(space).filter(message__in=list(messages)).unopened():
        if row.message_id is not None:
            found.setdefault(row.message_id, []).append(row)
    return found


def open_attachment(access: ChatAccess, attachment: UUID) -> CheckedFile:
    """Return one of the person's own with its content.

    Raises:
        NotFound: there is none of that id, or it is somebody else's.
    """
    with space_scope(access.space), access.open():
        row = Attachment.objects.for_space(access.space).of_author(access.person).find(pk=attachment)
        return CheckedFile(name=row.name, media_type=row.type, content=bytes(row.content))


def remove_unsent(*, now: datetime) -> int:
    """Remove from every space what was attached a while ago and never sent; return how many. Needs no key."""
    # Across spaces, so by the role that sees no content.
    rows = Attachment.objects.using("metadata").waiting().filter(added_at__lte=now - ATTACHMENTS.waits)
    removed = 0
    for space in list(rows.order_by("space_id").values_list("space_id", flat=True).distinct()):
        with space_scope(space):
            unsent = Attachment.objects.for_space(space).waiting()
            removed += unsent.filter(added_at__lte=now - ATTACHMENTS.waits).delete()[0]
    return removed


def _copy(row: Attachment, message: Message) -> None:
    """Have another version of a message bear what the one before bears: sealed anew, since each box is bound to its row."""
    Attachment.objects.create(
        space_id=row.space_id,
        conversation_id=row.conversation_id,
        message=message,
        type=row.type,
        size=row.size,
        width=row.width,
        height=row.height,
        added_at=row.added_at,
        name=row.name,
        content=row.content,
    )


def _too_many() -> str:
    most = ATTACHMENTS.per_message
    return ngettext("A message takes one file.", "A message takes up to %(count)d files.", most) % {
        "count": most
    }
