"""Conversations and messages over the REST API: parse, authorise, call a service, tell."""

import asyncio
from asyncio import CancelledError
from contextlib import nullcontext, suppress
from contextvars import Context
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from rest_framework import serializers

from chat import services
from chat.access import ChatAccess, chat_access, own_conversation
from chat.attachments.store import open_attachment
from chat.attachments.views import show_opened
from chat.conversations.properties import switch_conversation
from chat.memories.copy import begin_copy
from chat.models import Attachment, Conversation, Message
from chat.notices import announce_begun
from chat.replies import live
from chat.replies.live import live_replies, start_reply
from chat.services import Exchange
from chat.turn.reply import Turn
from companion_site.accounts.access import Access, student_access
from companion_site.accounts.tokens import Scope
from companion_site.api.fields import IdField, Moment, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.idempotency import id_from_key
from companion_site.api.operations import Asked, Endpoints, Made, opening
from companion_site.api.paging import Page, PageQuery, page_of_rows
from companion_site.api.views import count_reply
from companion_site.errors import NotFound
from companion_site.http import stream_file
from companion_site.ids import new_id
from companion_site.vault.grants import cancelling, current_grant
from companion_site.vault.scope import space_scope
from memory.student.copies.tables import TABLES

#: the longest that an answer waits for a reply, in seconds
_WAIT = {"min_value": 0, "max_value": 60, "default": 0}


class ConversationQuery(PageQuery):
    """Which conversations are asked for."""

    memory_on = SwitchField(required=False)


@example("With memory", {"memory_on": True})
class ConversationBody(Strict):
    """A conversation to begin."""

    memory_on = SwitchField(default=True, help_text="Off: nothing is remembered and nothing recalled.")


@example("Memory off", {"memory_on": False})
class ConversationChange(Strict):
    """What becomes of a conversation."""

    memory_on = SwitchField(help_text="Off: nothing is remembered and nothing recalled.")


class ConversationOut(serializers.Serializer):
    """A conversation; its title is made of the first message."""

    id = serializers.UUIDField(source="pk")
    title = serializers.CharField(allow_null=True)
    memory_on = serializers.BooleanField()
    created_at = Moment()
    updated_at = Moment()


class MessageQuery(PageQuery):
    """Which messages are asked for."""

    role = serializers.ChoiceField(Message.Role.choices, required=False)


class WaitQuery(Strict):
    """How long to wait for a reply that is being written."""

    wait_s = WholeField(**_WAIT, help_text="Seconds, at the most.")


@example("A question", {"text": "What did I want to practise?", "wait_s": 30})
class SayBody(Strict):
    """What the person says."""

    text = TextField(
        max_length=settings.MESSAGE_MAX_CHARS,
        help_text="What can be seen of it has to be something.",
    )
    client_id = IdField(
        required=False, help_text="Given by the program: the same again is said once, other words refused."
    )
    wait_s = WholeField(**_WAIT, help_text="Seconds to wait for the reply; it goes on being written.")


class RecalledOut(serializers.Serializer):
    """A memory that a reply was given."""

    id = serializers.UUIDField()
    score = serializers.FloatField(help_text="How relevant it was, 0 to 1.")


class MessageOut(serializers.Serializer):
    """What one side said. `state` is `streaming` while a reply is being written."""

    id = serializers.UUIDField(source="pk")
    conversation = serializers.UUIDField(source="conversation_id")
    role = serializers.ChoiceField(Message.Role.choices)
    state = serializers.ChoiceField(Message.State.choices)
    text = serializers.SerializerMethodField(help_text="Null once the words have been removed.")
    language = serializers.CharField(allow_blank=True)
    said_at = Moment()
    text_removed_at = Moment(allow_null=True)
    reply_to = serializers.SerializerMethodField(help_text="Of a reply: the message that it answers.")
    reply_type = serializers.CharField(allow_blank=True)
    recalled = RecalledOut(many=True)

    def get_text(self, message: Message) -> str | None:
        return None if message.text_removed_at else message.text or ""

    def get_reply_to(self, message: Message) -> str | None:
        is_reply = message.role == Message.Role.COMPANION and message.parent_id
        return str(message.parent_id) if is_reply else None


class AttachmentOut(serializers.Serializer):
    """What went with a message."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    type = serializers.ChoiceField(Attachment.Type.choices)
    size = serializers.IntegerField(help_text="Bytes.")


class ExchangeOut(serializers.Serializer):
    """What was said, and the reply to it."""

    message = MessageOut()
    reply = MessageOut()


def _rows() -> serializers.Field:
    return serializers.ListField(child=serializers.DictField())


MemoryCopyOut = type(
    "MemoryCopyOut",
    (serializers.Serializer,),
    {
        "format": serializers.CharField(),
        "version": serializers.IntegerField(),
        "memory": serializers.UUIDField(help_text="The memory that it was made of."),
        "exported_at": Moment(),
        **{name: _rows() for name in (*(table.name for table in TABLES), "conversations", "packs")},
        "__doc__": "A whole memory: lists of rows, as docs/memory-copies.md tells.",
        "__module__": __name__,
    },
)


CONVERSATION = "conversations/<uuid:conversation_id>"
MESSAGE = f"{CONVERSATION}/messages/<uuid:message_id>"
#: what a file is answered as; which it is, its list tells
FILE = "application/octet-stream"
chat = Endpoints(scope=Scope.CHAT, opens=opening(chat_access))


@chat.get("conversations", "List conversations", query=ConversationQuery, pages=ConversationOut)
def list_conversations(asked: Asked, access: ChatAccess) -> Page:
    """Return the person's own conversations, the last begun first."""
    with space_scope(access.space):
        rows = access.conversations.listed()
        if "memory_on" in asked.given:
            rows = rows.filter(memory_on=asked.given["memory_on"])
        return page_of_rows(rows, asked.given)


@chat.post(
    "conversations",
    "Begin a conversation",
    body=ConversationBody,
    answer=ConversationOut,
    status=201,
    repeats="whole",
)
def begin_conversation(asked: Asked, access: ChatAccess) -> Made:
    """Begin an empty conversation."""
    row = services.begin_conversation(access, now=timezone.now(), **asked.given)
    return Made(row, "show_conversation", (row.pk,))


@chat.get(CONVERSATION, "Show a conversation", answer=ConversationOut)
def show_conversation(asked: Asked, access: ChatAccess, conversation_id: UUID) -> Conversation:
    """Return one of the person's own conversations."""
    return own_conversation(access, conversation_id)


@chat.patch(CONVERSATION, "Switch a conversation's memory", body=ConversationChange, answer=ConversationOut)
def change_conversation(asked: Asked, access: ChatAccess, conversation_id: UUID) -> Conversation:
    """Switch the memory of a conversation off, or on again."""
    switch_conversation(access, conversation_id, on=asked.given["memory_on"], now=timezone.now())
    return own_conversation(access, conversation_id)


@chat.get(f"{CONVERSATION}/messages", "List messages", query=MessageQuery, pages=MessageOut)
def list_messages(asked: Asked, access: ChatAccess, conversation_id: UUID) -> Page:
    """Return what was said in a conversation, the latest first."""
    row = own_conversation(access, conversation_id)
    with space_scope(access.space):
        rows = Message.objects.for_space(access.space).current().filter(conversation=row)
        if "role" in asked.given:
            rows = rows.filter(role=asked.given["role"])
        page = page_of_rows(rows, asked.given)
    services.settle(access, page.items, now=timezone.now())
    return page


@chat.post(
    f"{CONVERSATION}/messages", "Say something", body=SayBody, answer=ExchangeOut, status=201, repeats="known"
)
def say(asked: Asked, access: ChatAccess, conversation_id: UUID) -> Made:
    """Say something and have it answered. The reply is written whether or not anybody waits: ask for it until its
    `state` is no longer `streaming`. The same `client_id` again finds the same exchange."""
    given = asked.given
    count_reply(asked.bearer.token.pk, now=timezone.now())
    exchange = services.say(
        access, conversation_id, text=given["text"], client_id=_client_id(asked), now=timezone.now()
    )
    if exchange.is_new:
        write_reply(access, exchange, asked.request, wait_s=given["wait_s"])
    return _made(access, exchange)


@chat.get(MESSAGE, "Show a message", query=WaitQuery, answer=MessageOut)
def show_message(asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Message:
    """Return one message; of a reply in the making as much as there is, or wait for it."""
    _find(access, conversation_id, message_id)
    wait_for(message_id, asked.request, wait_s=asked.given["wait_s"])
    return _find(access, conversation_id, message_id)


@chat.get(f"{MESSAGE}/attachments", "List what went with a message", pages=AttachmentOut)
def list_attachments(asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Page:
    """Return the pictures and files that the person attached to a message."""
    message = _find(access, conversation_id, message_id)
    with space_scope(access.space):
        rows = Attachment.objects.for_space(access.space).filter(message=message).unopened()
        return page_of_rows(rows, asked.given)


@chat.get("attachments/<uuid:attachment_id>", "Fetch a picture or file", answer=FILE)
def fetch_attachment(asked: Asked, access: ChatAccess, attachment_id: UUID) -> HttpResponseBase:
    """Return one of the person's own: a PNG, a JPEG or text in UTF-8."""
    return show_opened(open_attachment(access, attachment_id), kind=FILE)


@chat.post(f"{MESSAGE}/stop", "Stop a reply", answer=MessageOut, status=202, repeats="harmless")
def stop_reply(asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Message:
    """Have a reply end where it is; what has been written of it stays. One that has ended stays as it is."""
    reply = services.find_reply(access, conversation_id, message_id)
    if reply is None:
        raise NotFound()
    if reply.state == Message.State.STREAMING:
        async_to_sync(live.stop_reply)(conversation_id, message_id)
    return _find(access, conversation_id, message_id)


@chat.post(
    f"{MESSAGE}/retry",
    "Write a reply anew",
    body=WaitQuery,
    answer=ExchangeOut,
    status=202,
    refuses=[409],
    repeats="known",
)
def retry_reply(asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Made:
    """Have a reply that was cut short, stopped or failed, or the last of its conversation, written anew.

    One that was complete stays as a version of its own: the new one has another id."""
    count_reply(asked.bearer.token.pk, now=timezone.now())
    known = None if asked.key is None else id_from_key(asked.bearer, asked.key, purpose=f"retry {message_id}")
    exchange = services.retry_reply(access, conversation_id, message_id, client_id=known, now=timezone.now())
    if exchange.is_new:
        write_reply(access, exchange, asked.request, wait_s=asked.given["wait_s"])
    return _made(access, exchange)


def _client_id(asked: Asked) -> UUID:
    given = asked.given.get("client_id")
    if given is None and asked.key is not None:
        return id_from_key(asked.bearer, asked.key, purpose="message")
    return given or new_id()


def _find(access: ChatAccess, conversation: UUID, message: UUID) -> Message:
    found = services.find_message(access, conversation, message)
    if found is None:
        raise NotFound()
    services.settle(access, [found], now=timezone.now())
    return found


def _made(access: ChatAccess, exchange: services.Exchange) -> Made:
    """Return an exchange, with the reply as it stands now."""
    message, reply = exchange.message, exchange.reply
    reply = services.find_message(access, message.conversation_id, reply.pk) or reply
    return Made({"message": message, "reply": reply}, "show_message", (message.conversation_id, reply.pk))


@chat.get(
    "memories/copy",
    "Take the whole memory along",
    scope=Scope.MEMORY_READ,
    opens=opening(student_access),
    answer=MemoryCopyOut,
)
def copy_memory(asked: Asked, access: Access) -> HttpResponseBase:
    """Return everything that is remembered as one JSON object, streamed; what it holds is told in docs/memory-copies.md."""
    name, content_type, pieces = begin_copy(access, form="json", now=timezone.now())
    return stream_file(asked.request, pieces, name=name, content_type=content_type)


def write_reply(access: ChatAccess, exchange: Exchange, request: HttpRequest, *, wait_s: int) -> None:
    """Have what was said answered; wait for it, but no longer than asked.

    The turn is a task of the server's own loop, where pages find it to follow and to stop, and goes on when nobody waits any
    longer. Without such a loop, as under a server of the older kind, it is done before the answer.
    """
    turn = Turn(exchange, access=access, now=timezone.now())
    if isinstance(request, ASGIRequest):
        async_to_sync(_start)(turn, wait_s=wait_s)
    else:
        async_to_sync(turn.run)()


def wait_for(reply: UUID, request: HttpRequest, *, wait_s: int) -> None:
    """Wait until a reply that this process is writing has ended, but no longer than asked."""
    if wait_s and isinstance(request, ASGIRequest):
        async_to_sync(_wait)(reply, wait_s)


async def _start(turn: Turn, *, wait_s: int) -> None:
    # A context of its own: what is written on outlives the request, with all that hangs on its context.
    Context().run(_begin, turn)
    exchange = turn.exchange
    await announce_begun(exchange.message, exchange.reply, replaces=exchange.replaces)
    if wait_s:
        await _wait(exchange.reply.pk, wait_s)


def _begin(turn: Turn) -> None:
    translation.activate(turn.access.person.language)
    start_reply(turn.live, turn.run())


async def _wait(reply: UUID, wait_s: int) -> None:
    """Wait for a reply of whoever's, but no longer than asked, nor than the grant of who waits lasts."""
    live = live_replies.get(reply)
    if live is None or live.task is None:
        return
    waiting, grant = asyncio.ensure_future(asyncio.wait({live.task}, timeout=wait_s)), current_grant()
    with nullcontext() if grant is None else grant.when_ended(cancelling(waiting)), suppress(CancelledError):
        await waiting


urlpatterns = chat.urls
