"""What is done with conversations beside talking: the menu of one, each a plain form or link that needs no scripts, and the search over all."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from chat.access import access_of, own_conversation
from chat.conversations import deletion, properties
from chat.conversations.export import WRITERS, begin_export
from chat.conversations.palette import look_up
from chat.conversations.search import LONGEST_QUERY, search_messages
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput
from companion_site.http import stream_file
from companion_site.language import sanitise

#: The pages that a form may lead back to; from anywhere else it leads to the conversation.
PAGES = {"list": "chat:conversations", "archive": "chat:archive"}
#: What is said on them when it is done.
DONE = {
    "rename": _("Renamed."),
    "pin": _("Pinned: it stands first in your list."),
    "unpin": _("No longer pinned."),
    "archive": _("Archived: you find it in your archive."),
    "bring_back": _("Back in your list."),
    "undo": _("It is back, with everything said in it."),
}
#: Which moment of a conversation each sets, or with False takes away.
MOVES = {
    "pin": ("pinned_at", True),
    "unpin": ("pinned_at", False),
    "archive": ("archived_at", True),
    "bring_back": ("archived_at", False),
}


@require_POST
def keep(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Rename, pin, archive or delete a conversation of the person's own, or take one of these back."""
    access, now = access_of(request), timezone.now()
    done = request.POST.get("do", "")
    if done == "rename":
        properties.rename(access, conversation_id, title=request.POST.get("title"))
    elif done == "delete":
        forget = "forget" in request.POST
        deletion.delete(access, conversation_id, forget=forget, now=now)
    elif done == "undo":
        deletion.restore(access, conversation_id, now=now)
    elif done in MOVES:
        moment, is_set = MOVES[done]
        properties.place(access, conversation_id, **{moment: now if is_set else None})
    else:
        raise InvalidInput()
    page = PAGES.get(request.POST.get("back", ""))
    if done == "delete":
        address = f"{reverse(page or PAGES['list'])}?deleted={conversation_id}"
        return redirect(f"{address}&forgotten=1" if forget else address)
    if page is None:
        return redirect("chat:conversation", conversation_id)
    messages.success(request, DONE[done])
    return redirect(page)


@require_GET
def export(request: PersonRequest, conversation_id: UUID) -> HttpResponseBase:
    """Answer with a conversation of the person's own as a file, `?as=markdown` or `?as=json`."""
    access = access_of(request)
    row = own_conversation(access, conversation_id)
    form = request.GET.get("as", "")
    if form not in WRITERS:
        raise InvalidInput()
    name, content_type, pieces = begin_export(access, row, form=form, now=timezone.now())
    return stream_file(request, pieces, name=name, content_type=content_type)


@require_GET
def search(request: PersonRequest) -> HttpResponse:
    """Show where the words asked for were said, and nothing of what anybody else said."""
    access = access_of(request)
    query = sanitise(request.GET.get("q", "")).strip()
    context = {
        "query": query[:LONGEST_QUERY],
        "longest": LONGEST_QUERY,
        "results": search_messages(access, query) if query else None,
    }
    return render(request, "chat/search.html", context)


@require_GET
def palette(request: PersonRequest) -> HttpResponse:
    """Show what the palette leads to by the words in its box, as a part of the page that it is open on."""
    access = access_of(request)
    query = sanitise(request.GET.get("q", "")).strip()[:LONGEST_QUERY]
    with access.open():
        return render(
            request, "chat/_palette_found.html", {"found": look_up(access, query, now=timezone.now())}
        )
