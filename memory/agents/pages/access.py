"""Who looks after an agent: the person it belongs to, while their own space is open. To everybody else it does not exist.

The doors of all pages of agents: a view below `owner_page` is given the person and their key, one below `agent_page` an
agent of theirs that is open; and what every page of one agent has around it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey
from memory.agents.agents import OpenAgent, open_agent


@dataclass(frozen=True)
class Owner:
    """A person who may have agents, and the key of their own space."""

    person: Person
    key: SpaceKey


@dataclass(frozen=True)
class Owned:
    """An agent of a person's that is open, and what opened it."""

    owner: Owner
    agent: OpenAgent

    @property
    def space(self) -> UUID:
        return self.agent.space


def owner_of(person: Person, space_key: SpaceKey | None) -> Owner:
    """Return a person as the owner of their agents.

    Raises:
        NotFound: they have no space that could keep an agent's key.
        SpaceLocked: it is not open in this session.
    """
    if not person.is_active or person.space_id is None:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return Owner(person, space_key)


def owner_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, owner, ...)`; nothing of its page is cached."""

    @never_cache
    @wraps(view)
    def open_page(request: PersonRequest, **ids: Any) -> HttpResponse:
        return view(request, owner_of(request.user, request.space_key), **ids)

    return open_page


def agent_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, owned, ...)` of the agent that the address names."""

    @owner_page
    @wraps(view)
    def open_page(request: PersonRequest, owner: Owner, agent_id: UUID, **ids: Any) -> HttpResponse:
        opened = open_agent(owner.key, agent_id, person=owner.person, now=timezone.now())
        return view(request, Owned(owner, opened), **ids)

    return open_page


def render_page(
    request: PersonRequest, owned: Owned, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `agents/<name>.html` of an agent."""
    row = owned.agent.agent
    with owned.agent.access.open():
        around = {
            "here": name,
            "agent": {
                "id": owned.space,
                "name": row.name,
                "profile": row.profile,
                "created_at": row.created_at,
                "tick": row.tick,
            },
        }
    return render(request, f"agents/{name}.html", {**around, **context}, status=status)
