"""Who looks after an agent: the person it belongs to, while their own space is open. To everybody else it does not exist.

The doors of all pages of agents: a view below `owner_page` is given their person's key, one below `agent_page` an
agent of theirs that is open; and what every page of one agent has around it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from companion_site.accounts.access import own_key
from companion_site.accounts.requests import PersonRequest
from companion_site.vault.boxes import SpaceKey
from memory.agents.agents import OpenAgent, open_agent


def owner_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, key, ...)`."""

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
