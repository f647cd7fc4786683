"""The page that searches one's own conversations."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from chat.access import chat_access
from chat.conversations.palette import look_up
from chat.conversations.search import LONGEST_QUERY, search_messages
from companion_site.accounts.requests import PersonRequest
from companion_site.language import sanitise
from companion_site.vault import unlocked


@never_cache
@require_GET
def search(request: PersonRequest) -> HttpResponse:
    """Show where the words asked for were said, and nothing of what anybody else said."""
    access = chat_access(request.user, request.space_key)
    query = sanitise(request.GET.get("q", "")).strip()
    context = {
        "query": query[:LONGEST_QUERY],
        "longest": LONGEST_QUERY,
        "results": search_messages(access, query) if query else None,
    }
    return render(request, "chat/search.html", context)


@never_cache
@require_GET
def palette(request: PersonRequest) -> HttpResponse:
    """Show what the palette leads to by the words in its box, as a part of the page that it is open on."""
    access = chat_access(request.user, request.space_key)
    query = sanitise(request.GET.get("q", "")).strip()[:LONGEST_QUERY]
    with unlocked(access.space, access.key):
        return render(
            request, "chat/_palette_found.html", {"found": look_up(access, query, now=timezone.now())}
        )
