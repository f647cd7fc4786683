"""The chat's pages: parse, authorise, call a service, render."""

from uuid import UUID

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe

from chat import services
from chat.access import ChatAccess, access_of, own_conversation
from chat.attachments.store import add, attachments_of, waiting_in
from chat.coaching.store import undo_action
from chat.company.suggestions import show_suggestions
from chat.conversations import deletion, properties, versions
from chat.conversations.history import load_part
from chat.conversations.properties import switch_conversation
from chat.initiative import show_initiative
from chat.memories.under_message import change_kept
from chat.models import Attachment, Message
from chat.replies.presentation import render_message, show_messages
from chat.said import check_text
from chat.turn.reply import answer_at_once
from companion_site.accounts.forms import MemoryForm
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, MessageTooLong, NotFound
from companion_site.http import wants_json
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.student.life.wishes import read_wishes


@require_GET
def conversations(request: PersonRequest) -> HttpResponse:
    """List the person's conversations."""
    access, now = access_of(request), timezone.now()
    with access.open():
        context = {
            "conversations": services.list_conversations(access),
            "deleted": deletion.find_deleted(access, request.GET.get("deleted"), now=now),
            "has_archive": properties.has_archive(access, now=now),
            "longest_title": properties.LONGEST_TITLE,
        }
        return render(request, "chat/conversations.html", context)


@require_GET
def archive(request: PersonRequest) -> HttpResponse:
    """List the conversations that the person has put away, and those deleted that they can have back."""
    access, now = access_of(request), timezone.now()
    with access.open():
        context = {
            "conversations": properties.list_archive(access),
            "deleted": deletion.find_deleted(access, request.GET.get("deleted"), now=now),
            "all_deleted": deletion.list_deleted(access, now=now),
            "longest_title": properties.LONGEST_TITLE,
        }
        return render(request, "chat/archive.html", context)


@require_POST
def begin_conversation(request: PersonRequest) -> HttpResponse:
    """Start a conversation and open it, with its first message where one is given.

    With `memory=off` nothing is remembered in it or recalled from its first word on.
    """
    access, now = access_of(request), timezone.now()
    is_remembered = request.POST.get("memory", "on") == "on"
    text = check_text(request.POST.get("text", ""), may_be_empty=True)
    row = services.begin_conversation(access, now=now, memory_on=is_remembered)
    if text:
        exchange = services.say(access, row.pk, text=text, client_id=new_id(), now=now)
        answer_at_once(access, exchange, now=now)
    return redirect("chat:conversation", row.pk)


@require_GET
def conversation(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Show the newest part of a conversation, or the one asked for: `before` or `after` a position, or around the message `at`.

    With `part` it is shown by itself, for a page that holds another part already.
    """
    return _show(request, conversation_id)


@require_POST
def say(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Say something from a page without scripts: the reply is there when the page comes back."""
    access, now = access_of(request), timezone.now()
    client_id = _client_id(request.POST.get("client_id"))
    attachments = [id for id in map(_message_id, request.POST.getlist("attachments")) if id is not None]
    try:
        for file in request.FILES.getlist("files"):
            attachments.append(
                add(access, conversation_id, name=file.name or "", content=file.read(), now=now).pk
            )
        exchange = services.say(
            access,
            conversation_id,
            text=request.POST.get("text"),
            client_id=client_id,
            instead_of=_message_id(request.POST.get("instead_of")),
            attachments=attachments,
            now=now,
        )
    except InvalidInput as refused:
        return _show(request, conversation_id, alert=str(refused))
    if exchange.is_new:
        answer_at_once(access, exchange, now=now)
    return redirect("chat:conversation", conversation_id)


@require_POST
def show_version(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Have another version of a message stand in its conversation."""
    version = _message_id(request.POST.get("version"))
    if version is None:
        raise NotFound()
    versions.show_version(access_of(request), conversation_id, version, now=timezone.now())
    return _back_to(conversation_id, version)


@require_POST
def switch_memory(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Switch the memory of one conversation off, or on again."""
    access, form = access_of(request), MemoryForm(request.POST)
    if not form.is_valid():
        raise InvalidInput()
    switch_conversation(access, conversation_id, on=form.is_on, now=timezone.now())
    return redirect("chat:conversation", conversation_id)


@require_GET
def message(request: PersonRequest, conversation_id: UUID, message_id: UUID) -> HttpResponse:
    """Show one message by itself, or as it was written."""
    access, now = access_of(request), timezone.now()
    found = services.find_message(access, conversation_id, message_id)
    if found is None:
        raise NotFound()
    services.settle(access, [found], now=now)
    if request.GET.get("as") == "markdown":
        return HttpResponse(services.read_text(access, found), content_type="text/plain; charset=utf-8")
    (shown,) = show_messages(access, [found], now=now)
    return HttpResponse(render_message(shown))


@require_safe
def said(request: PersonRequest, message_id: UUID) -> HttpResponse:
    """Go to where a message of the person's own stands in its conversation."""
    access = access_of(request)
    with space_scope(access.space):
        own = Message.objects.for_space(access.space).of_author(access.person)
        conversation = own.filter(pk=message_id).values_list("conversation_id", flat=True).first()
    if conversation is None:
        raise NotFound()
    return _back_to(conversation, message_id)


@require_POST
def kept(request: PersonRequest, conversation_id: UUID, message_id: UUID) -> HttpResponse:
    """Correct, forget or undo one thing under a message (`do=correct:id`); a page without scripts comes back to the message."""
    access, now = access_of(request), timezone.now()
    message = services.find_message(access, conversation_id, message_id)
    if message is None:
        raise NotFound()
    do, _, named = request.POST.get("do", "").partition(":")
    try:
        of = UUID(named)
    except ValueError:
        raise InvalidInput() from None
    with access.open():
        change_kept(access, message, do=do, of=of, text=request.POST.get(f"text:{named}", ""), now=now)
    if wants_json(request):
        (shown,) = show_messages(access, [message], now=now)
        return JsonResponse({"html": render_message(shown)})
    return _back_to(conversation_id, message_id)


@require_POST
def undo_noted(
    request: PersonRequest, conversation_id: UUID, message_id: UUID, noted_id: UUID
) -> HttpResponse:
    """Take back one thing noted of a message; a page without scripts comes back to the message."""
    access = access_of(request)
    row = own_conversation(access, conversation_id)
    with space_scope(access.space), access.open():
        said = Message.objects.for_space(access.space).filter(conversation=row, pk=message_id)
        if not access.remembers or not said.exists():
            raise NotFound()
        undo_action(access, message_id, noted_id, now=timezone.now())
    if wants_json(request):
        return JsonResponse({"undone": str(noted_id)})
    return _back_to(row.pk, message_id)


def _show(request: PersonRequest, conversation_id: UUID, *, alert: str = "") -> HttpResponse:
    """Show a conversation, or once more what was typed there, with the reason why it could not be sent."""
    access, now = access_of(request), timezone.now()
    part = load_part(
        access,
        conversation_id,
        before=_position(request.GET.get("before")),
        after=_position(request.GET.get("after")),
        around=_message_id(request.GET.get("at")),
        now=now,
    )
    if "part" in request.GET:
        shown = show_messages(access, part.messages, now=now)
        return render(request, "chat/_articles.html", {"part": part, "messages": shown})
    row, messages = part.conversation, part.messages
    edited = _message_id(request.GET.get("edit") or request.POST.get("instead_of"))
    editing = None if edited is None else services.find_editable(access, conversation_id, edited)
    is_remembered = row.memory_on and access.person.memory_on
    streaming = next((m for m in reversed(messages) if m.state == Message.State.STREAMING), None)
    with access.open():
        context = {
            "conversation": row,
            "part": part,
            "editing": editing,
            "alert": alert,
            "typed": request.POST.get("text"),
            "attached": _attached(access, conversation_id, editing),
            "attachment_bytes": settings.ATTACHMENT_MAX_BYTES,
            "chosen": request.GET.get("at"),
            "conversations": services.list_conversations(access),
            "messages": show_messages(access, messages, now=now),
            "socket_path": f"/ws/chat/{row.pk}/",
            "resume": {
                "conversation": str(row.pk),
                "reply": str(streaming.pk) if streaming else None,
                "seq": 0,
            },
            "longest": settings.MESSAGE_MAX_CHARS,
            "too_long": MessageTooLong(settings.MESSAGE_MAX_CHARS).message,
            "longest_title": properties.LONGEST_TITLE,
            "is_remembered": is_remembered,
            "speaks": access.remembers and read_wishes(access.space).speaks,
            **show_suggestions(
                access, is_remembered=is_remembered, chosen=request.GET.get("suggestion"), now=now
            ),
            **show_initiative(access, is_remembered=is_remembered, now=now),
        }
        return render(request, "chat/conversation.html", context, status=400 if alert else 200)


def _attached(access: ChatAccess, conversation: UUID, editing: Message | None) -> list[Attachment]:
    """Return what goes with what is written: what waits, and what the message that is being changed has."""
    waiting = waiting_in(access, conversation)
    if editing is None:
        return waiting
    with space_scope(access.space):
        return [*attachments_of(access.space, [editing.pk]).get(editing.pk, ()), *waiting]


def _back_to(conversation: UUID, message: UUID) -> HttpResponse:
    """Lead to a message where it stands in its conversation."""
    return redirect(f"{reverse('chat:conversation', args=[conversation])}?at={message}#message-{message}")


def _position(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        raise InvalidInput() from None


def _message_id(text: str | None) -> UUID | None:
    try:
        return None if text is None else UUID(text)
    except ValueError:
        raise NotFound() from None


def _client_id(text: str | None) -> UUID:
    try:
        return UUID(text or "")
    except ValueError:
        return new_id()
