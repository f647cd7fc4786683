"""Taking back what was noted of a message, from the line under its reply."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from chat.access import chat_access, own_conversation
from chat.coaching.store import undo_action
from chat.models import Message
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.http import wants_json
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope


@require_POST
def undo(request: PersonRequest, conversation_id: UUID, message_id: UUID, noted_id: UUID) -> HttpResponse:
    """Take back one thing noted of a message; a page without scripts comes back to the message."""
    access = chat_access(request.user, request.space_key)
    row = own_conversation(access, conversation_id)
    with space_scope(access.space), unlocked(access.space, access.key):
        said = Message.objects.for_space(access.space).filter(conversation=row, pk=message_id)
        if not access.remembers or not said.exists():
            raise NotFound()
        undo_action(access, message_id, noted_id, now=timezone.now())
    if wants_json(request):
        return JsonResponse({"undone": str(noted_id)})
    return redirect(f"{reverse('chat:conversation', args=[row.pk])}?at={message_id}#message-{message_id}")
