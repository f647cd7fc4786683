"""The page that searches one's own conversations."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from chat.access import chat_access
from chat.search import LONGEST_QUERY, search_messages
from companion_site.accounts.requests import PersonRequest
from companion_site.language import sanitise


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
