"""An agent's nodes over the REST API, with its own token: parse, authorise, call a service, tell."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.utils import timezone

from companion_site.accounts.tokens import Scope
from companion_site.api.operations import Asked, Endpoints
from companion_site.api.paging import Page, page_of_data
from memory.agents import serializers as forms
from memory.agents.access import AgentAccess, access_by_token
from memory.agents.agents import read_agent
from memory.agents.episodes import recall_context
from memory.agents.nodes import Upserted, remove_node, upsert_memory
from memory.agents.search import nodes_of, search_memory
from memory.agents.workingset import held_nodes, working_set_of
from memory.algorithms.activation import TYPES
from memory.models import Agent
from memory.packs.exporter import Selection


@contextmanager
def opened(asked: Asked) -> Iterator[AgentAccess]:
    """Open the memory of the agent whose token it is. Raises NotFound: the token opens a space, but no agent's."""
    access = access_by_token(asked.bearer)
    with access.open():
        yield access


agent = Endpoints(scope=Scope.AGENT, opens=opened)


@agent.get("agent", "Who am I, as an agent", answer=forms.AgentOut)
def show_agent(asked: Asked, access: AgentAccess) -> Agent:
    """Return the agent's name, its profile and how many contexts it has built."""
    return read_agent(access.space)


@agent.post("agent/nodes", "Remember nodes", body=forms.UpsertBody, answer=forms.UpsertedOut, refuses=[409])
def remember_nodes(asked: Asked, access: AgentAccess) -> Upserted:
    """Keep nodes, all of them or none; one that is there already is added to. Sent again, it changes nothing."""
    given = asked.given
    return upsert_memory(access, given["nodes"], merge=given["merge"], now=timezone.now())


@agent.post("agent/nodes/list", "List nodes", body=forms.NodeListBody, pages=forms.NodeOut)
def list_nodes(asked: Asked, access: AgentAccess) -> Page:
    """Return the agent's own nodes, the last made first."""
    given = asked.given
    wanted = Selection(
        domains=frozenset(given["tags"] or ()),
        paths=tuple(filter(None, [given.get("prefix")])),
        types=frozenset(given["types"] or ()),
    )
    held = working_set_of(access.space)
    with held.lock:
        numbers, contents = held.numbers, held.contents
        rows = [
            int(row)
            for row in np.flatnonzero(numbers["alive"])
            if wanted.takes({**contents[row], "type": TYPES[numbers["type"][row]]})
        ]
        page = page_of_data(rows, given, id_of=lambda row: held.ids[row])
        return Page(held_nodes(held, page.items), page.next)


@agent.post("agent/nodes/read", "Show nodes", body=forms.NodesBody, answer=forms.NodeHitsOut)
def show_nodes(asked: Asked, access: AgentAccess) -> dict[str, Any]:
    """Return the nodes of these paths that there are, the agent's own before those of its packs."""
    return {"items": nodes_of(access, asked.given["ids"])}


@agent.post("agent/nodes/remove", "Forget a node", body=forms.NodeBody, status=204)
def forget_node(asked: Asked, access: AgentAccess) -> None:
    """Forget one of the agent's own nodes: what it said is gone. There is no way back."""
    remove_node(access, asked.given["id"], now=timezone.now())


@agent.post("agent/search", "Search nodes", body=forms.NodeSearchBody, answer=forms.NodeHitsOut)
def search_nodes(asked: Asked, access: AgentAccess) -> dict[str, Any]:
    """Return the nodes that answer a question, the agent's own and those of its packs, the best first."""
    return {"items": search_memory(access, now=timezone.now(), **asked.given)}


@agent.post("agent/recall", "Recall what was done", body=forms.RecallBody, answer=forms.RecalledNodesOut)
def recall_nodes(asked: Asked, access: AgentAccess) -> dict[str, Any]:
    """Return the last episodes of a task, of a session or of all, and the frames that were saved with them."""
    return recall_context(access, now=timezone.now(), **asked.given)
