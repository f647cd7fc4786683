"""Conversations and messages over the REST API: parse, authorise, call a service, tell."""

from uuid import UUID

from asgiref.sync import async_to_sync
from django.http.response import HttpResponseBase
from django.utils import timezone

from chat import services
from chat.access import ChatAccess, chat_access, own_conversation
from chat.api import forms
from chat.api.replies import wait_for, write_reply
from chat.attachments.store import open_attachment
from chat.attachments.views import show_opened
from chat.conversations.properties import switch_conversation
from chat.memories.copy import begin_copy
from chat.models import Attachment, Conversation, Message
from chat.replies.live import stop_reply
from companion_site.accounts.access import Access, student_access
from companion_site.accounts.tokens import Scope
from companion_site.api.idempotency import id_from_key
from companion_site.api.operations import Asked, Made, opening, operation, page_of
from companion_site.api.paging import Page, PageQuery, page_of_rows
from companion_site.api.views import ApiView, count_reply
from companion_site.errors import NotFound
from companion_site.http import stream_file
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope

CHAT = Scope.CHAT
#: what a file is answered as; which it is, its list tells
FILE = "application/octet-stream"
opened = opening(chat_access)


class Conversations(ApiView):
    @operation(
        "conversations_list",
        "List conversations",
        scope=CHAT,
        opens=opened,
        query=forms.ConversationQuery,
        answer=page_of(forms.ConversationOut),
    )
    def get(self, asked: Asked, access: ChatAccess) -> Page:
        """Return the person's own conversations, the last begun first."""
        with space_scope(access.space):
            rows = access.conversations.listed()
            if "memory_on" in asked.given:
                rows = rows.filter(memory_on=asked.given["memory_on"])
            return page_of_rows(rows, asked.given)

    @operation(
        "conversations_begin",
        "Begin a conversation",
        scope=CHAT,
        opens=opened,
        body=forms.ConversationBody,
        answer=forms.ConversationOut,
        status=201,
        repeats="whole",
    )
    def post(self, asked: Asked, access: ChatAccess) -> Made:
        """Begin an empty conversation."""
        row = services.begin_conversation(access, now=timezone.now(), **asked.given)
        return Made(row, "conversation", (row.pk,))


class OneConversation(ApiView):
    @operation(
        "conversations_read", "Show a conversation", scope=CHAT, opens=opened, answer=forms.ConversationOut
    )
    def get(self, asked: Asked, access: ChatAccess, conversation_id: UUID) -> Conversation:
        """Return one of the person's own conversations."""
        return own_conversation(access, conversation_id)

    @operation(
        "conversations_change",
        "Switch a conversation's memory",
        scope=CHAT,
        opens=opened,
        body=forms.ConversationChange,
        answer=forms.ConversationOut,
    )
    def patch(self, asked: Asked, access: ChatAccess, conversation_id: UUID) -> Conversation:
        """Switch the memory of a conversation off, or on again."""
        switch_conversation(access, conversation_id, on=asked.given["memory_on"], now=timezone.now())
        return own_conversation(access, conversation_id)


class Messages(ApiView):
    @operation(
        "messages_list",
        "List messages",
        scope=CHAT,
        opens=opened,
        query=forms.MessageQuery,
        answer=page_of(forms.MessageOut),
    )
    def get(self, asked: Asked, access: ChatAccess, conversation_id: UUID) -> Page:
        """Return what was said in a conversation, the latest first."""
        row = own_conversation(access, conversation_id)
        with space_scope(access.space):
            rows = Message.objects.for_space(access.space).current().filter(conversation=row)
            if "role" in asked.given:
                rows = rows.filter(role=asked.given["role"])
            page = page_of_rows(rows, asked.given)
        services.settle(access, page.items, now=timezone.now())
        return page

    @operation(
        "messages_say",
        "Say something",
        scope=CHAT,
        opens=opened,
        body=forms.SayBody,
        answer=forms.ExchangeOut,
        status=201,
        repeats="known",
    )
    def post(self, asked: Asked, access: ChatAccess, conversation_id: UUID) -> Made:
        """Say something and have it answered. The reply is written whether or not anybody waits: ask for it until its
        `state` is no longer `streaming`. The same `client_id` again finds the same exchange."""
        given = asked.given
        count_reply(asked.bearer.token.pk, now=timezone.now())
        exchange = services.say(
            access, conversation_id, text=given["text"], client_id=_client_id(asked), now=timezone.now()
        )
        if exchange.is_new:
            write_reply(access, exchange, self.request._request, wait_s=given["wait_s"])
        return _made(access, exchange)


class OneMessage(ApiView):
    @operation(
        "messages_read",
        "Show a message",
        scope=CHAT,
        opens=opened,
        query=forms.WaitQuery,
        answer=forms.MessageOut,
    )
    def get(self, asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Message:
        """Return one message; of a reply in the making as much as there is, or wait for it."""
        _find(access, conversation_id, message_id)
        wait_for(message_id, self.request._request, wait_s=asked.given["wait_s"])
        return _find(access, conversation_id, message_id)


class Attachments(ApiView):
    @operation(
        "attachments_list",
        "List what went with a message",
        scope=CHAT,
        opens=opened,
        query=PageQuery,
        answer=page_of(forms.AttachmentOut),
    )
    def get(self, asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Page:
        """Return the pictures and files that the person attached to a message."""
        message = _find(access, conversation_id, message_id)
        with space_scope(access.space):
            rows = Attachment.objects.for_space(access.space).filter(message=message).unopened()
            return page_of_rows(rows, asked.given)


class OneAttachment(ApiView):
    @operation(
        "attachments_read",
        "Fetch a picture or file",
        scope=CHAT,
        opens=opened,
        answer=FILE,
    )
    def get(self, asked: Asked, access: ChatAccess, attachment_id: UUID) -> HttpResponseBase:
        """Return one of the person's own: a PNG, a JPEG or text in UTF-8."""
        return show_opened(open_attachment(access, attachment_id), kind=FILE)


class StopReply(ApiView):
    @operation("messages_stop", "Stop a reply", scope=CHAT, opens=opened, answer=forms.MessageOut, status=202)
    def post(self, asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Message:
        """Have a reply end where it is; what has been written of it stays. One that has ended stays as it is."""
        reply = services.find_reply(access, conversation_id, message_id)
        if reply is None:
            raise NotFound()
        if reply.state == Message.State.STREAMING:
            async_to_sync(stop_reply)(conversation_id, message_id)
        return _find(access, conversation_id, message_id)


class RetryReply(ApiView):
    @operation(
        "messages_retry",
        "Write a reply anew",
        scope=CHAT,
        opens=opened,
        body=forms.RetryBody,
        answer=forms.ExchangeOut,
        status=202,
        refuses=[409],
    )
    def post(self, asked: Asked, access: ChatAccess, conversation_id: UUID, message_id: UUID) -> Made:
        """Have a reply that was cut short, stopped or failed, or the last of its conversation, written anew.

        One that was complete stays as a version of its own: the new one has another id."""
        count_reply(asked.bearer.token.pk, now=timezone.now())
        exchange = services.retry_reply(access, conversation_id, message_id, now=timezone.now())
        write_reply(access, exchange, self.request._request, wait_s=asked.given["wait_s"])
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
    return Made({"message": message, "reply": reply}, "message", (message.conversation_id, reply.pk))


class MemoryCopy(ApiView):
    @operation(
        "memories_copy",
        "Take the whole memory along",
        scope=Scope.MEMORY_READ,
        opens=opening(student_access),
        answer=forms.MemoryCopyOut,
    )
    def get(self, asked: Asked, access: Access) -> HttpResponseBase:
        """Return everything that is remembered as one JSON object, streamed; what it holds is told in docs/memory-copies.md."""
        name, content_type, pieces = begin_copy(access, form="json", now=timezone.now())
        return stream_file(self.request._request, pieces, name=name, content_type=content_type)
