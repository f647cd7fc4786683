"""An agent's nodes, contexts, archives and figures over the REST API, with its own token."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BytesIO
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone

from companion_site.accounts.access import Access
from companion_site.accounts.tokens import Scope
from companion_site.api.idempotency import id_from_key
from companion_site.api.operations import Asked, Endpoints, Made, NoParameters, list_of
from companion_site.api.paging import Page, page_of_data, page_of_rows
from companion_site.api.views import count_reply
from companion_site.vault.scope import space_scope
from memory.agents import context_store, contexts, pack_export, snapshots
from memory.agents import serializers as forms
from memory.agents.agents import access_by_token, read_agent
from memory.agents.episodes import recall_context
from memory.agents.figures import figures
from memory.agents.nodes import Upserted, remove_node, upsert_memory
from memory.agents.search import nodes_of, search_memory, select_rows
from memory.agents.workingset import held_nodes, open_memory
from memory.models import Agent, AgentContext, AgentSnapshot
from memory.nodes import clean_tags
from memory.packs.exporter import Selection


@contextmanager
def opened(asked: Asked) -> Iterator[Access]:
    """Open the memory of the agent whose token it is. Raises NotFound: the token opens a space, but no agent's."""
    access = access_by_token(asked.bearer)
    with access.open():
        yield access


agent = Endpoints(scope=Scope.AGENT, opens=opened)


@agent.get("agent", "Who am I, as an agent", answer=forms.AgentOut)
def show_agent(asked: Asked, access: Access) -> Agent:
    """Return the agent's name, its profile and how many contexts it has built."""
    return read_agent(access.space)


@agent.post("agent/nodes", "Remember nodes", body=forms.UpsertBody, answer=forms.UpsertedOut, repeats="known")
def remember_nodes(asked: Asked, access: Access) -> Upserted:
    """Keep nodes, all of them or none; one that is there already is added to. Sent again, it changes nothing."""
    given = asked.given
    return upsert_memory(access, given["nodes"], merge=given["merge"], now=timezone.now())


@agent.post(
    "agent/nodes/list",
    "List nodes",
    query=NoParameters,
    body=forms.NodeListBody,
    pages=forms.NodeOut,
    repeats="harmless",
)
def list_nodes(asked: Asked, access: Access) -> Page:
    """Return the agent's own nodes, the last made first."""
    given = asked.given
    wanted = Selection(
        domains=frozenset(clean_tags(given["tags"])),
        paths=tuple(filter(None, [given.get("prefix")])),
        types=frozenset(given["types"] or ()),
    )
    with open_memory(access) as held:
        page = page_of_data(select_rows(held, wanted), given, id_of=lambda row: held.ids[row])
        return Page(held_nodes(held, page.items), page.next)


@agent.post(
    "agent/nodes/read",
    "Show nodes",
    body=forms.NodesBody,
    answer=list_of(forms.NodeHitOut),
    repeats="harmless",
)
def show_nodes(asked: Asked, access: Access) -> dict[str, Any]:
    """Return the nodes of these paths that there are, the agent's own before those of its packs."""
    return {"items": nodes_of(access, asked.given["ids"])}


@agent.post("agent/nodes/remove", "Forget a node", body=forms.NodeBody, status=204, repeats="whole")
def forget_node(asked: Asked, access: Access) -> None:
    """Forget one of the agent's own nodes: what it said is gone. There is no way back."""
    remove_node(access, asked.given["id"], now=timezone.now())


@agent.post(
    "agent/search",
    "Search nodes",
    body=forms.NodeSearchBody,
    answer=list_of(forms.NodeHitOut),
    repeats="harmless",
)
def search_nodes(asked: Asked, access: Access) -> dict[str, Any]:
    """Return the nodes that answer a question, the agent's own and those of its packs, the best first."""
    return {"items": search_memory(access, **asked.given)}


@agent.post(
    "agent/recall",
    "Recall what was done",
    body=forms.RecallBody,
    answer=forms.RecalledNodesOut,
    repeats="harmless",
)
def recall_nodes(asked: Asked, access: Access) -> dict[str, Any]:
    """Return the last episodes of a task, of a session or of all, and the frames that were saved with them."""
    return recall_context(access, now=timezone.now(), **asked.given)


FILE = "application/octet-stream"
SPAN = timedelta(days=30)


@agent.get("agent/contexts", "List contexts", pages=forms.ContextOut)
def list_contexts(asked: Asked, access: Access) -> Page:
    """Return the contexts that were built or saved, the last first, in numbers."""
    with space_scope(access.space, reading=True):
        return page_of_rows(AgentContext.objects.for_space(access.space).defer("content"), asked.given)


@agent.post(
    "agent/contexts",
    "Save a context",
    body=forms.SaveBody,
    answer=forms.OneContextOut,
    status=201,
    repeats="known",
)
def save_context(asked: Asked, access: Access) -> Made:
    """Keep the frames that were worked from, or notes on a scratchpad. The same `client_id` again finds what was kept."""
    given = asked.given
    if asked.key is not None and given.get("client_id") is None:
        given["client_id"] = id_from_key(asked.bearer, asked.key, purpose="context")
    row = context_store.save_context(access, now=timezone.now(), **given)
    return Made(row, "show_context", (row.pk,))


@agent.post(
    "agent/contexts/build", "Build a context", body=forms.BuildBody, answer=forms.BuiltOut, repeats="known"
)
def build_context(asked: Asked, access: Access) -> contexts.Context:
    """Return what an agent is given for a task: six frames within a budget. Kept, it is one tick of its memory."""
    return contexts.build_context(access, now=timezone.now(), **asked.given)


@agent.get("agent/contexts/<uuid:context_id>", "Show a context", answer=forms.OneContextOut)
def show_context(asked: Asked, access: Access, context_id: UUID) -> AgentContext:
    """Return a context with its frames and the nodes that stood in them."""
    with space_scope(access.space, reading=True):
        row: AgentContext = AgentContext.objects.for_space(access.space).find(pk=context_id)
    return row


@agent.get("agent/snapshots", "List snapshots", pages=forms.SnapshotOut)
def list_snapshots(asked: Asked, access: Access) -> Page:
    """Return the archives of the agent, the last first, without what they hold."""
    with space_scope(access.space, reading=True):
        return page_of_rows(AgentSnapshot.objects.for_space(access.space).defer("archive"), asked.given)


@agent.post(
    "agent/snapshots",
    "Take a snapshot",
    body=forms.SnapshotBody,
    answer=forms.SnapshotOut,
    status=201,
    repeats="whole",
)
def take_snapshot(asked: Asked, access: Access) -> Made:
    """Keep everything as it is now in an archive that never changes; a state that was kept before is that archive."""
    kept = snapshots.project_snapshot(access, now=timezone.now(), **asked.given)
    return Made(kept, "show_snapshot", (kept.pk,))


@agent.get("agent/snapshots/<uuid:snapshot_id>", "Show a snapshot", answer=forms.OneSnapshotOut)
def show_snapshot(asked: Asked, access: Access, snapshot_id: UUID) -> AgentSnapshot:
    """Return an archive with all that it holds."""
    with space_scope(access.space, reading=True):
        row: AgentSnapshot = AgentSnapshot.objects.for_space(access.space).find(pk=snapshot_id)
    return row


@agent.get("agent/figures", "Show what to watch", query=forms.FiguresQuery, answer=forms.ObservedOut)
def show_figures(asked: Asked, access: Access) -> dict[str, Any]:
    """Return coverage, drift, utility and hygiene, in all and by day."""
    now = timezone.now()
    return figures(access, since=asked.given.get("since", now - SPAN), now=now)


@agent.post(
    "agent/export", "Give nodes out as a pack", body=forms.ExportBody, answer=FILE, repeats="harmless"
)
def export_nodes(asked: Asked, access: Access) -> HttpResponse:
    """Return nodes as an encrypted, signed pack (.kpack): a backup, or knowledge to share."""
    count_reply(asked.bearer.token.pk, now=timezone.now())
    file = BytesIO()
    pack_export.export_nodes(access, stream=file, now=timezone.now(), **asked.given)
    headers = {"Content-Disposition": 'attachment; filename="nodes.kpack"'}
    return HttpResponse(file.getvalue(), content_type=FILE, headers=headers)
