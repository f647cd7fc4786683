"""Conversations and messages: what is said is stored first, and everything else follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.access import ChatAccess, locked_conversation, own_conversation
from chat.attachments.store import attach
from chat.coaching.store import noted_of, undo_action
from chat.conversations.versions import check_unread, set_aside
from chat.memories.due import await_silence, leave_others
from chat.models import Conversation, Message
from chat.personalisation.measure import forget_measures
from chat.replies.live import STALE_AFTER, is_live
from chat.said import Sensed, check_text, is_made_of, make_title, read_as, sense
from companion_site.errors import ClientIdReused, InvalidInput, NotFound, TooManyMessages
from companion_site.ids import first_id
from companion_site.jobs import enqueue
from companion_site.language import as_language, detect_language
from companion_site.vault.scope import lock_space, space_scope
from ledger.services import raise_alerts

LISTED = 200
#: After danger, so long neither a card nor a suggestion is offered.
CARE_FOR = timedelta(days=1)
#: What a person may send is counted over so long.
PACE_WINDOW = timedelta(minutes=1)


@dataclass(frozen=True)
class Exchange:
    """A message of the person, its words as they are read, and the reply that belongs to it."""

    message: Message
    text: str
    reply: Message
    is_new: bool
    #: the title that the conversation was given by this message
    title: str | None = None
    #: whether the message may call something to mind and leave something behind
    memory_on: bool = False
    #: what its words speak of, where that had to be known for its alert or the title
    sensed: Sensed | None = None
    #: the message in whose place the first of these two stands from now on
    replaces: UUID | None = None


def begin_conversation(access: ChatAccess, *, now: datetime, memory_on: bool = True) -> Conversation:
    """Start an empty conversation; those before are read for what they say."""
    with space_scope(access.space), access.open():
        leave_others(access, now=now)
        return Conversation.objects.create(
            space_id=access.space, author=access.person, memory_on=memory_on, created_at=now, updated_at=now
        )


def say(
    access: ChatAccess,
    conversation: UUID,
    *,
    text: Any,
    client_id: UUID,
    now: datetime,
    spoken: bool = False,
    sound: Mapping[str, Any] | None = None,
    sensed: Sensed | None = None,
    instead_of: UUID | None = None,
    attachments: Sequence[UUID] = (),
) -> Exchange:
    """Store what the person said and the empty reply to it, and queue the forming of memories.

    A student's message that is surely danger is stored with its alert, whether or not memory is on; it is embedded for that, so a
    caller that has begun a transaction gives `sensed`.

    Args:
        spoken: it came in by voice; sound: how that was, which is sealed (the fields of `protocol.Sound`).
        instead_of: the person's last message there, of which this is to be another version.
        attachments: what waits to go with it, and what of the version before stays with it.

    Raises:
        TooManyMessages: the person has sent as many within a minute as may be; nothing is stored.
        InvalidInput: what it is to stand instead of is not their last message, or is being answered; an attachment is gone.
        ClientIdReused: other words were said under this `client_id`.

    What was typed before goes with it. A resend, known by its `client_id`, finds the same two rows and changes nothing. What is said while memory is off is
    done with at once: no memory is ever formed of it, not even when it is switched on again. So are pictures and files without words: nothing is recalled or
    remembered, and the conversation gets its title from the first words that follow.
    """
    clean = check_text(text, may_be_empty=bool(attachments))
    needs_sense = access.remembers or instead_of is not None or _is_untitled(access, conversation)
    if sensed is None and clean and needs_sense:
        sensed = sense(clean, at_work=access.at_work)
    raises_alert = access.remembers and sensed is not None and sensed.danger == "sure"
    with space_scope(access.space), access.open():
        if instead_of is not None or raises_alert:
            lock_space(access.space)
        row = locked_conversation(access, conversation)
        messages = _messages(row)
        known = messages.filter(client_id=client_id).first()
        if known is not None:
            if known.text_removed_at is None and (known.text or "") != clean:
                raise ClientIdReused()
            return Exchange(known, _read(known), _reply_to(known), is_new=False)
        _check_pace(access, now=now)
        old = None
        if instead_of is not None:
            old = _set_aside_last(access, row, instead_of, now=now)
        last = messages.current().order_by("-position").values_list("pk", "language").first()
        before, language_before = last or (None, "")
        # Words too few to tell are in the language that is being spoken.
        default = as_language(language_before or access.person.language)
        language = detect_language(clean, default=default, is_opening=not language_before)
        memory_on = bool(clean) and _has_memory(row)
        message = Message(
            space_id=access.space,
            conversation=row,
            parent_id=before,
            position=next_position(row),
            version_of=None if old is None else old.version_of or old.pk,
            role=Message.Role.PERSON,
            client_id=client_id,
            text=clean,
            language=language,
            said_at=now,
            formed_at=None if memory_on else now,
            spoken=spoken and access.remembers,
            outcome={"sound": sound} if sound and access.remembers else None,
        )
        reply = _empty_reply(message, now=now)
        Message.objects.bulk_create([message, reply])
        attach(message, attachments, old=old)
        if raises_alert:
            raise_alerts(access.space, {message.pk}, said_at=now, now=now)
        title = None
        if row.title is None and sensed is not None:
            title = make_title(clean, sensed, language=language)
        row.title = title or row.title
        row.updated_at = now
        if old is None:
            row.draft = None
        due = await_silence(access, row, now=now) if memory_on else []
        row.save(update_fields=["title", "updated_at", "draft", *due])
        if memory_on and access.remembers and access.lets_worker_in(now=now):
            enqueue("chat.tasks.form_memory", access.space, message.pk)
    return Exchange(
        message,
        read_as(clean, language=language),
        reply,
        is_new=True,
        title=title,
        memory_on=memory_on,
        sensed=sensed,
        replaces=None if old is None else old.pk,
    )


def retry_reply(
    access: ChatAccess, conversation: UUID, reply_id: UUID, *, client_id: UUID | None = None, now: datetime
) -> Exchange:
    """Make a reply that was cut short ready to be written anew, or have another version of the last of its conversation made.

    Args:
        client_id: by which that version, asked for before, is found again.

    Raises:
        NotFound: there is no such reply. InvalidInput: more was said since it was complete, or it is still being written.
    """
    with space_scope(access.space), access.open():
        row = locked_conversation(access, conversation)
        made = None if client_id is None else _replies(row).filter(client_id=client_id).first()
        if made is not None and made.parent is not None:
            return Exchange(made.parent, _read(made.parent), made, is_new=False)
        reply = _replies(row).current().filter(pk=reply_id).select_for_update(no_key=True).first()
        if reply is None or reply.parent is None:
            raise NotFound()
        gone = reply.parent.text_removed_at is not None
        is_complete = reply.state == Message.State.COMPLETE
        after = _messages(row).current().filter(position__gt=reply.position)
        is_settled = is_complete and after.exists()
        if is_settled:
            raise InvalidInput(_("More was said since. Only the last reply can be written anew."))
        if gone:
            raise InvalidInput(_("What it answers has been removed."))
        if is_live(reply, now=now):
            raise InvalidInput(_("It is still being written."))
        memory_on = _has_memory(row) and not reply.parent.was_said_unremembered
        said = reply.parent, _read(reply.parent)
        if is_complete:
            set_aside(access, row, reply, now=now)
            version = _empty_reply(reply.parent, now=now)
            version.client_id = client_id
            version.position, version.version_of = next_position(row), reply.version_of or reply.pk
            version.save(force_insert=True)
            return Exchange(*said, version, is_new=True, memory_on=memory_on, replaces=reply.pk)
        reply.text, reply.state, reply.said_at, reply.streamed_at = None, Message.State.STREAMING, now, now
        forgotten = forget_measures(reply)
        reply.steps, reply.outcome = [], None
        reply.save(update_fields=["text", "state", "said_at", "streamed_at", "steps", "outcome", *forgotten])
        return Exchange(*said, reply, is_new=True, memory_on=memory_on)


def settle(access: ChatAccess, messages: Sequence[Message], *, now: datetime) -> None:
    """Mark replies that were cut short, so that the person can have them written again."""
    stale = [
        reply for reply in messages if reply.state == Message.State.STREAMING and not is_live(reply, now=now)
    ]
    if not stale:
        return
    bound = now - STALE_AFTER
    with space_scope(access.space):
        Message.objects.for_space(access.space).filter(
            pk__in=[reply.pk for reply in stale], state=Message.State.STREAMING, streamed_at__lt=bound
        ).update(state=Message.State.INTERRUPTED)
    for reply in stale:
        reply.state = Message.State.INTERRUPTED


def list_conversations(access: ChatAccess) -> list[Conversation]:
    """Return the person's conversations, the pinned first, then the last used."""
    with space_scope(access.space):
        return list(access.conversations.listed()[:LISTED])


def find_reply(access: ChatAccess, conversation: UUID, reply_id: UUID | None) -> Message | None:
    """Return one reply of the person's conversation, or its last one that is still being written."""
    row = own_conversation(access, conversation)
    with space_scope(access.space):
        replies = _replies(row).order_by("-position")
        chosen = (
            replies.filter(pk=reply_id)
            if reply_id
            else replies.current().filter(state=Message.State.STREAMING)
        )
        reply = chosen.first()
    if reply is not None:
        settle(access, [reply], now=timezone.now())
    return reply


def find_message(access: ChatAccess, conversation: UUID, message_id: UUID) -> Message | None:
    """Return one message of the person's own conversation."""
    row = own_conversation(access, conversation)
    with space_scope(access.space):
        return _messages(row).filter(pk=message_id).first()


def has_said(access: ChatAccess, message: UUID) -> bool:
    """Tell whether a message is one that the person said themselves; asked inside their scope."""
    rows = Message.objects.for_space(access.space).filter(pk=message, role=Message.Role.PERSON)
    return rows.filter(conversation__author=access.person).exists()


def read_title(access: ChatAccess, conversation: UUID) -> str:
    """Return the title of the person's own conversation; an empty string while it has none."""
    row = own_conversation(access, conversation)
    with access.open():
        return row.title or ""


def read_text(access: ChatAccess, message: Message) -> str:
    """Return a message's words."""
    with access.open():
        return message.text or ""


def has_spoken_of_danger(access: ChatAccess, *, now: datetime) -> bool:
    """Tell whether danger was answered within the last day in the person's own conversations; then nothing light is offered."""
    since = now - CARE_FOR
    rows = Message.objects.for_space(access.space).filter(
        pk__gte=first_id(since),
        conversation__author=access.person,
        said_at__gt=since,
        reply_type=Message.ReplyType.ESCALATION,
    )
    with space_scope(access.space):
        return rows.exists()


def _check_pace(access: ChatAccess, *, now: datetime) -> None:
    """Refuse what comes faster than anybody writes: each message costs a reply, and a memory.

    Ids begin with their time, so this looks at the rows of the last minutes only, whatever the space holds.
    """
    sent = Message.objects.for_space(access.space).filter(
        pk__gte=first_id(now - PACE_WINDOW),
        conversation__author=access.person,
        role=Message.Role.PERSON,
        said_at__gt=now - PACE_WINDOW,
    )
    most = settings.MESSAGES_PER_MINUTE
    latest = list(sent.order_by("-said_at").values_list("said_at", flat=True)[:most])
    if len(latest) == most:
        raise TooManyMessages(retry_after_s=(latest[-1] + PACE_WINDOW - now).total_seconds())


def _is_untitled(access: ChatAccess, conversation: UUID) -> bool:
    with space_scope(access.space):
        return access.conversations.filter(pk=conversation, title__isnull=True).exists()


def _has_memory(row: Conversation) -> bool:
    return Conversation.objects.for_space(row.space_id).with_memory().filter(pk=row.pk).exists()


def find_editable(access: ChatAccess, conversation: UUID, message_id: UUID) -> Message:
    """Return the last message of the person's own conversation, of which they may make another version.

    Raises:
        NotFound: it is another one, or its words are gone.
        InvalidInput: a company's memory has it already.
    """
    row = own_conversation(access, conversation)
    with space_scope(access.space):
        last = _last_said(row)
    if last is None or last.pk != message_id:
        raise NotFound()
    check_unread(access, row, last)
    return last


def _last_said(row: Conversation) -> Message | None:
    last = _messages(row).current().said_by_person().order_by("-position").first()
    return None if last is None or last.text_removed_at is not None else last


def _set_aside_last(access: ChatAccess, row: Conversation, message_id: UUID, *, now: datetime) -> Message:
    """Make room for another version of the person's last message, and take back what was noted of it."""
    old = _last_said(row)
    if old is None or old.pk != message_id:
        raise InvalidInput()
    if any(is_live(reply, now=now) for reply in _replies(row).current().filter(parent=old)):
        raise InvalidInput()
    if old.parent_id is None and row.title is not None and is_made_of(row.title, old.text or ""):
        row.title = None
    set_aside(access, row, old, now=now)
    for noted in noted_of(access.space, [old.pk]).get(old.pk, ()) if access.remembers else ():
        undo_action(access, old.pk, noted.id, now=now)
    return old


def next_position(row: Conversation) -> int:
    """Return the position after every message there is: the versions of one keep theirs, so that those shown stay in order."""
    last = _messages(row).aggregate(position=Max("position"))["position"]
    return (last or 0) + 1


def _messages(row: Conversation):
    return Message.objects.for_space(row.space_id).filter(conversation=row)


def _replies(row: Conversation):
    return _messages(row).filter(role=Message.Role.COMPANION)


def _read(message: Message) -> str:
    """Return a person's message as it is read."""
    return read_as(message.text, language=message.language)


def _reply_to(message: Message) -> Message:
    """Return the reply that stands under a message, or stood there last where the message is set aside."""
    replies = Message.objects.for_space(message.space_id).filter(parent=message, role=Message.Role.COMPANION)
    return replies.order_by(F("set_aside_with").asc(nulls_first=True), "-position")[0]


def _empty_reply(message: Message, *, now: datetime) -> Message:
    """Return the row that a message is answered in, not stored yet."""
    return Message(
        space_id=message.space_id,
        conversation_id=message.conversation_id,
        parent=message,
        position=message.position + 1,
        role=Message.Role.COMPANION,
        state=Message.State.STREAMING,
        language=message.language,
        said_at=now,
        streamed_at=now,
    )
