"""What every page of one agent has around it: its name, and the way to its other pages."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from companion_site.accounts.requests import PersonRequest
from memory.agents.pages.access import Owned
from memory.agents.profiles import profile_of


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
                "profile": profile_of(row.profile),
                "created_at": row.created_at,
                "tick": row.tick,
            },
        }
    return render(request, f"agents/{name}.html", {**around, **context}, status=status)
