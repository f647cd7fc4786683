"""What an agent remembers: its tree and its search, one node, and forgetting one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound
from memory.agents.nodes import get_node, remove_node
from memory.agents.pages.access import Owned, agent_page, render_page
from memory.agents.pages.forms import NodeFilterForm
from memory.agents.pages.nodes import find_branch, leaf_of_hit, look_at, row_of_node, show_node
from memory.agents.pages.undo import PathTaken, bring_back, is_offered, keep_removed
from memory.agents.search import search_memory
from memory.agents.workingset import open_memory, working_set_of

#: Nodes on one page of a list, and found by one search.
A_PAGE = 50
#: How long the name of a branch in an address is: a keyed hash in hexadecimal digits.
NAME_CHARS = 64


@require_safe
@agent_page
def nodes(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Show what an agent remembers: a branch of its tree, a type, or what answers a question."""
    form = NodeFilterForm(request.GET or None)
    asked = form.cleaned_data if form.is_bound and form.is_valid() else {}
    context: dict[str, Any] = {"form": form, "can_undo": is_offered(request, owned.space, now=timezone.now())}
    try:
        if asked.get("q"):
            context |= _search(owned, asked["q"], type=asked["type"])
    except InvalidInput as refused:
        form.add_error("q", str(refused.message))
    if "found" not in context:
        context |= _browse(request, owned, type=asked.get("type", ""))
    return render_page(request, owned, "nodes", context)


@require_safe
@agent_page
def node(request: PersonRequest, owned: Owned, node_id: UUID) -> HttpResponse:
    """Show one node."""
    with open_memory(owned) as held:
        shown = show_node(held, node_id)
    return render_page(request, owned, "node", {"node": shown})


@require_POST
@agent_page
def remove(request: PersonRequest, owned: Owned, node_id: UUID) -> HttpResponse:
    """Have an agent forget a node; it can be had back for a while."""
    now = timezone.now()
    with owned.open() as space:
        held = working_set_of(space)
        with held.lock:
            path = held.contents[row_of_node(held, node_id)]["id"]
        kept = get_node(owned, path)
        remove_node(owned, path, now=now)
        keep_removed(request, owned, node_id, kept, now=now)
    messages.success(request, _("Forgotten. What linked to it leads nowhere now."))
    return redirect("agents:nodes", owned.space)


@require_POST
@agent_page
def undo(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Have back the node that was forgotten last."""
    try:
        path = bring_back(request, owned, now=timezone.now())
    except (PathTaken, InvalidInput) as refused:
        messages.error(request, str(refused.message))
        return redirect("agents:nodes", owned.space)
    messages.success(request, _("It is back."))
    with open_memory(owned) as held:
        return redirect("agents:node", owned.space, held.ids[held.row_of[path]])


def _search(owned: Owned, question: str, *, type: str) -> dict[str, Any]:
    found = search_memory(owned, question, k=A_PAGE, types=[type] if type else None)
    with open_memory(owned) as held:
        return {"question": question, "found": [leaf_of_hit(held, hit) for hit in found]}


def _browse(request: PersonRequest, owned: Owned, *, type: str) -> dict[str, Any]:
    name = request.GET.get("under", "")
    if name and len(name) != NAME_CHARS:
        raise NotFound()
    with open_memory(owned) as held:
        level = look_at(held, find_branch(held, name), type=type)
        total = len(held.row_of)
    page = Paginator(level.leaves, A_PAGE).get_page(request.GET.get("page"))
    return {"level": level, "page": page, "total": total, "type": type}
