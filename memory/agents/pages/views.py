"""A person's agents: their list, one with its profile, its packs, its tokens and its figures; making one and giving it up.

An agent's pages are its owner's alone, while their own space is open; to everybody else it does not exist.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Max
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.access import own_key
from companion_site.accounts.forms import TokenForm
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.tokens import list_tokens, revoke_token, show_tokens
from companion_site.errors import InvalidInput, NotFound
from companion_site.http import form_page
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope
from memory.agents.agents import (
    MOST,
    OpenAgent,
    change_agent,
    create_agent,
    delete_agent,
    list_agents,
    open_agent,
)
from memory.agents.contexts import build_context
from memory.agents.frames import as_list
from memory.agents.mcp.protocol import PATH, TOKEN_VARIABLE
from memory.agents.nodes import remove_node
from memory.agents.pages.connection import is_readable_on_the_way, recipes
from memory.agents.pages.contexts import legend, show_frames, show_scored
from memory.agents.pages.figures import SPANS, see
from memory.agents.pages.forms import AgentForm, DeleteForm, NodeFilterForm, TryForm, agent_token_form
from memory.agents.pages.nodes import find_branch, leaf_of_hit, look_at, row_of_node, show_node
from memory.agents.pages.undo import PathTaken, bring_back, is_offered, keep_removed
from memory.agents.search import search_memory
from memory.agents.workingset import held_nodes, open_memory
from memory.models import AgentContext, AgentNode, NodeType
from memory.packs import mounts
from memory.packs.errors import TooManyMounts
from memory.packs.signatures import public_hex, site_signer


def owner_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, key, ...)` with the key of the person's own space."""

    @wraps(view)
    def open_page(request: PersonRequest, **ids: Any) -> HttpResponse:
        return view(request, own_key(request.user, request.space_key), **ids)

    return open_page


def agent_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, owned, ...)` of the agent that the address names."""

    @owner_page
    @wraps(view)
    def open_page(request: PersonRequest, key: SpaceKey, agent_id: UUID, **ids: Any) -> HttpResponse:
        return view(request, open_agent(key, agent_id, person=request.user, now=timezone.now()), **ids)

    return open_page


def render_page(
    request: PersonRequest, owned: OpenAgent, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `agents/<name>.html` of an agent, written while its space is open: its rows can be shown as they are."""
    with owned.open():
        around = {"here": name, "agent": owned.agent}
        return render(request, f"agents/{name}.html", {**around, **context}, status=status)


@require_safe
@owner_page
def agents(request: PersonRequest, key: SpaceKey) -> HttpResponse:
    """Show the agents of a person, and what one is."""
    found = [
        {"space": space, "name": name, "held": count_held(space)} for space, name in list_agents(key).items()
    ]
    return render(request, "agents/agents.html", {"agents": found, "is_full": len(found) >= MOST})


@form_page
@owner_page
def new(request: PersonRequest, key: SpaceKey) -> HttpResponse:
    """Make an agent."""
    form = AgentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = form.write(partial(create_agent, key, owner=request.user))
        if made is not None:
            messages.success(request, _("It is made. Next, let a program of yours in."))
            return redirect("agents:connect", made.space)
    status = 422 if form.errors else 200
    return render(request, "agents/new.html", {"form": form}, status=status)


@require_safe
@agent_page
def overview(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Show who an agent is and how much it remembers."""
    context = {
        "types": count_types(owned.space),
        "held": count_held(owned.space),
        "packs": mounts.mounted(owned.space),
        "tokens": list_tokens(owned.space, now=timezone.now()),
    }
    return render_page(request, owned, "overview", context)


@form_page
@agent_page
def edit(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Change an agent's name and profile."""
    with owned.open():
        row = owned.agent
        initial = {"name": row.name, **row.profile}
    form = AgentForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        changed = form.write(partial(change_agent, owned))
        if changed is not None:
            messages.success(request, _("Changed. It holds from the next context on."))
            return redirect("agents:overview", owned.space)
    return render_page(request, owned, "edit", {"form": form}, status=422 if form.errors else 200)


@form_page
@agent_page
def delete(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Give an agent up, after its name was typed."""
    with owned.open():
        name = owned.agent.name
    form = DeleteForm(request.POST or None, name=name)
    if request.method == "POST" and form.is_valid():
        delete_agent(owned, now=timezone.now())
        messages.success(request, _("The agent is deleted, and everything it remembered."))
        return redirect("agents:agents")
    context = {"form": form, "held": count_held(owned.space)}
    return render_page(request, owned, "delete", context, status=422 if form.errors else 200)


@require_safe
@agent_page
def packs(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Show the packs that an agent reads, and those that it could."""
    mounted = mounts.mounted(owned.space)
    read = {pack.space_id for pack in mounted}
    others = [pack for pack in mounts.list_packs(owned.person) if pack.space_id not in read]
    context = {"mounted": mounted, "others": others, "our_key": public_hex(site_signer())}
    return render_page(request, owned, "packs", context)


@require_POST
@agent_page
def mount(request: PersonRequest, owned: OpenAgent, pack_id: UUID) -> HttpResponse:
    """Have an agent read a pack."""
    try:
        mounts.mount(owned.key, pack_id, person=owned.person, now=timezone.now())
    except TooManyMounts as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Mounted: the agent finds what is in it from now on."))
    return redirect("agents:packs", owned.space)


@require_POST
@agent_page
def unmount(request: PersonRequest, owned: OpenAgent, pack_id: UUID) -> HttpResponse:
    """Have an agent read a pack no longer."""
    mounts.unmount(owned.key, pack_id, person=owned.person, now=timezone.now())
    messages.success(request, _("Taken off: the agent does not find what is in it any more."))
    return redirect("agents:packs", owned.space)


@require_safe
@agent_page
def connect(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Show an agent's tokens, and how a client finds it."""
    return _connect_page(request, owned, agent_token_form())


@require_POST
@agent_page
def make_token(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Make a token for an agent and show it, once."""
    form = agent_token_form(request.POST)
    if issued := form.issue(owned.key, actor=owned.person, now=timezone.now()):
        token, text = issued
        line = f"export {TOKEN_VARIABLE}={text}"
        shown = {"token": token, "text": text, "line": line, "agent_id": owned.space}
        return render(request, "agents/token.html", shown)
    return _connect_page(request, owned, form, status=422)


@require_POST
@agent_page
def revoke(request: PersonRequest, owned: OpenAgent, token_id: UUID) -> HttpResponse:
    """Take a token of an agent back."""
    revoke_token(owned.space, token_id, actor=owned.person, now=timezone.now())
    messages.success(request, _("Revoked: this token opens nothing any more."))
    return redirect(f"{resolve_url('agents:connect', owned.space)}#tokens-title")


def _connect_page(
    request: PersonRequest, owned: OpenAgent, form: TokenForm, *, status: int = 200
) -> HttpResponse:
    address = request.build_absolute_uri(PATH)
    context = {
        "tokens": show_tokens(owned.space, now=timezone.now()),
        "token_form": form,
        "address": address,
        "recipes": recipes(address),
        "is_readable": is_readable_on_the_way(request),
    }
    return render_page(request, owned, "connect", context, status=status)


@require_safe
@agent_page
def figures(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Show the figures of an agent over a span of days."""
    asked = request.GET.get("days", "")
    span = next((days for days in SPANS if str(days) == asked), SPANS[0])
    seen = see(owned, span=span, now=timezone.now())
    return render_page(request, owned, "figures", {**seen, "span": span, "spans": SPANS})


def count_held(space: UUID) -> dict[str, Any]:
    """Return how many nodes an agent remembers, and when it last built or saved a context."""
    with space_scope(space, reading=True):
        nodes = AgentNode.objects.for_space(space).filter(removed_at__isnull=True).count()
        last = AgentContext.objects.for_space(space).aggregate(last=Max("saved_at"))["last"]
    return {"nodes": nodes, "last_context_at": last}


def count_types(space: UUID) -> list[dict[str, Any]]:
    """Return how many nodes an agent remembers of each type that it has any of, each with the width of its bar in per cent."""
    with space_scope(space, reading=True):
        rows = AgentNode.objects.for_space(space).filter(removed_at__isnull=True).order_by()
        counts = dict(rows.values_list("type").annotate(count=Count("pk")))
    most = max(counts.values(), default=1)
    return [
        {
            "type": kind,
            "label": kind.label,
            "count": counts[kind],
            "width": f"{100 * counts[kind] / most:.1f}",
        }
        for kind in NodeType
        if counts.get(kind)
    ]


#: Nodes on one page of a list, and found by one search.
A_PAGE = 50
#: How long the name of a branch in an address is: a keyed hash in hexadecimal digits.
NAME_CHARS = 64


@require_safe
@agent_page
def nodes(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
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
def node(request: PersonRequest, owned: OpenAgent, node_id: UUID) -> HttpResponse:
    """Show one node."""
    with open_memory(owned) as held:
        shown = show_node(held, node_id)
    return render_page(request, owned, "node", {"node": shown})


@require_POST
@agent_page
def remove(request: PersonRequest, owned: OpenAgent, node_id: UUID) -> HttpResponse:
    """Have an agent forget a node; it can be had back for a while."""
    now = timezone.now()
    with open_memory(owned) as held:
        (kept,) = held_nodes(held, [row_of_node(held, node_id)])
    with owned.open():
        remove_node(owned, kept["id"], now=now)
        keep_removed(request, owned, node_id, kept, now=now)
    messages.success(request, _("Forgotten. What linked to it leads nowhere now."))
    return redirect("agents:nodes", owned.space)


@require_POST
@agent_page
def undo(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Have back the node that was forgotten last."""
    try:
        path = bring_back(request, owned, now=timezone.now())
    except (PathTaken, InvalidInput) as refused:
        messages.error(request, str(refused.message))
        return redirect("agents:nodes", owned.space)
    messages.success(request, _("It is back."))
    with open_memory(owned) as held:
        return redirect("agents:node", owned.space, held.ids[held.row_of[path]])


def _search(owned: OpenAgent, question: str, *, type: str) -> dict[str, Any]:
    found = search_memory(owned, question, k=A_PAGE, types=[type] if type else None)
    with open_memory(owned) as held:
        return {"question": question, "found": [leaf_of_hit(held, hit) for hit in found]}


def _browse(request: PersonRequest, owned: OpenAgent, *, type: str) -> dict[str, Any]:
    name = request.GET.get("under", "")
    if name and len(name) != NAME_CHARS:
        raise NotFound()
    with open_memory(owned) as held:
        level = look_at(held, find_branch(held, name), type=type)
        total = len(held.row_of)
    page = Paginator(level["leaves"], A_PAGE).get_page(request.GET.get("page"))
    return {"level": level, "page": page, "total": total, "type": type}


CONTEXTS_A_PAGE = 20
#: The task that a context belongs to that is only tried out; nothing is kept under it.
TRIED = "try"


@require_safe
@agent_page
def contexts(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Show the contexts that an agent built or saved, the newest first."""
    with owned.open() as space, space_scope(space, reading=True):
        rows = AgentContext.objects.for_space(space).order_by("-id")
        page = Paginator(rows, CONTEXTS_A_PAGE).get_page(request.GET.get("page"))
        page.object_list = list(page.object_list)
    return render_page(request, owned, "contexts", {"page": page, "form": TryForm()})


@require_safe
@agent_page
def context(request: PersonRequest, owned: OpenAgent, context_id: UUID) -> HttpResponse:
    """Show one context: its frames, and why its nodes stand in it."""
    with owned.open() as space, space_scope(space, reading=True):
        row = AgentContext.objects.for_space(space).find(pk=context_id)
    with open_memory(owned) as held:
        content = row.content
        scored = show_scored(held, content.get("shown") or [{"path": path} for path in content["nodes"]])
    shown = {"context": row, "frames": show_frames(content["frames"]), "scored": scored, "terms": legend()}
    return render_page(request, owned, "context", shown)


@require_POST
@agent_page
def try_out(request: PersonRequest, owned: OpenAgent) -> HttpResponse:
    """Build a context for a question and show it; nothing is kept, and nothing resonates more for it."""
    form = TryForm(request.POST)
    shown: dict[str, Any] = {"form": form, "terms": legend()}
    if form.is_valid():
        try:
            shown |= _build(owned, form.cleaned_data)
        except InvalidInput as refused:
            form.add_error(None, str(refused.message))
    return render_page(request, owned, "try", shown, status=422 if form.errors else 200)


def _build(owned: OpenAgent, asked: dict[str, Any]) -> dict[str, Any]:
    built = build_context(
        owned,
        query=asked["query"],
        task={"id": TRIED, "tags": asked["tags"]},
        budget_tokens=asked["budget"],
        now=timezone.now(),
        save=False,
    )
    with open_memory(owned) as held:
        scored = show_scored(held, built.nodes)
    return {"built": built, "frames": show_frames(as_list(built.frames)), "scored": scored}
