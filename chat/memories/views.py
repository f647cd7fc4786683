"""Changing what was remembered of a message, from the lines under it."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from chat import services
from chat.access import chat_access
from chat.memories.under_message import change_kept
from chat.replies.presentation import render_message, show_messages
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound
from companion_site.http import wants_json
from companion_site.vault import unlocked


@require_POST
def keep(request: PersonRequest, conversation_id: UUID, message_id: UUID) -> HttpResponse:
    """Correct, forget or undo one thing under a message (`do=correct:id`); a page without scripts comes back to the message."""
    access, now = chat_access(request.user, request.space_key), timezone.now()
    message = services.find_message(access, conversation_id, message_id)
    if message is None:
        raise NotFound()
    do, _, named = request.POST.get("do", "").partition(":")
    try:
        of = UUID(named)
    except ValueError:
        raise InvalidInput() from None
    with unlocked(access.space, access.key):
        change_kept(access, message, do=do, of=of, text=request.POST.get(f"text:{named}", ""), now=now)
    if wants_json(request):
        (shown,) = show_messages(access, [message], now=now)
        return JsonResponse({"html": render_message(shown)})
    place = reverse("chat:conversation", args=[conversation_id])
    return redirect(f"{place}?at={message_id}#message-{message_id}")
