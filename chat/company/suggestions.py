"""What is offered over the text box to a company's people: showing it, and taking what they answer."""

from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from chat.access import ChatAccess, access_of, own_conversation
from chat.services import has_spoken_of_danger
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.http import wants_json
from memory.company.suggestions.services import answer_suggestion, message_of_chosen, offer_suggestions


def show_suggestions(
    access: ChatAccess, *, is_remembered: bool, chosen: str | None, now: datetime
) -> dict[str, Any]:
    """Return what the conversation's page shows: the suggestions, and the text of the one just chosen.

    Args:
        is_remembered: whether memory is on; off, nothing of what is believed is read.
        chosen: the id of a suggestion as the page's address names it, or None.
    """
    is_offered = access.person.role == Person.Role.BUSINESS and is_remembered
    if not is_offered or has_spoken_of_danger(access, now=now):
        return {"suggestions": [], "draft": ""}
    draft = ""
    with access.open():
        with suppress(ValueError):  # of an address that names no id
            draft = message_of_chosen(access.space, access.person, UUID(chosen or ""), now=now)
        return {"suggestions": offer_suggestions(access.space, access.person, now=now), "draft": draft}


@require_POST
def answer(request: PersonRequest, conversation_id: UUID, suggestion_id: UUID) -> HttpResponse:
    """Take what the person answered to a suggestion; a page without scripts comes back to the conversation.

    Raises:
        NotFound: nothing of that id was offered to them here; with memory off nothing is.
    """
    access = access_of(request)
    row = own_conversation(access, conversation_id)
    if not (row.memory_on and access.person.memory_on):
        raise NotFound()
    given = request.POST.get("answer", "")
    with access.open():
        message = answer_suggestion(
            access.space, access.person, suggestion_id, answer=given, now=timezone.now()
        )
    if wants_json(request):
        return JsonResponse({"message": message})
    place = reverse("chat:conversation", args=[row.pk])
    return redirect(f"{place}?suggestion={suggestion_id}#message-box" if message else place)
