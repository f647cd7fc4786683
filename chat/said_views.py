"""The way to a message whose conversation is not known to whoever links to it."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.access import chat_access
from chat.models import Message
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope


@require_safe
@never_cache
def said(request: PersonRequest, message_id: UUID) -> HttpResponse:
    """Go to where a message of the person's own stands in its conversation."""
    access = chat_access(request.user, request.space_key)
    with space_scope(access.space):
        own = Message.objects.for_space(access.space).of_author(access.person)
        conversation = own.filter(pk=message_id).values_list("conversation_id", flat=True).first()
    if conversation is None:
        raise NotFound()
    return redirect(
        f"{reverse('chat:conversation', args=[conversation])}?at={message_id}#message-{message_id}"
    )
