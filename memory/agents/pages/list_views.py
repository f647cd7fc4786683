"""A person's agents: their list, and making one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.agents.agents import MOST, create_agent, list_agents
from memory.agents.errors import TooManyAgents
from memory.agents.pages.access import Owner, owner_page
from memory.agents.pages.counts import count_held
from memory.agents.pages.forms import AgentForm
from memory.nodes.errors import NodeInvalid


@require_safe
@owner_page
def agents(request: PersonRequest, owner: Owner) -> HttpResponse:
    """Show the agents of a person, and what one is."""
    found = [{"agent": agent, "held": count_held(agent.space)} for agent in list_agents(owner.key)]
    return render(request, "agents/agents.html", {"agents": found, "is_full": len(found) >= MOST})


@require_http_methods(["GET", "HEAD", "POST"])
@owner_page
def new(request: PersonRequest, owner: Owner) -> HttpResponse:
    """Make an agent."""
    form = AgentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_agent(
                owner.key,
                owner=owner.person,
                name=form.cleaned_data["name"],
                profile=form.profile(),
                now=timezone.now(),
            )
        except NodeInvalid as refused:
            form.refuse(refused)
        except TooManyAgents as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("It is made. Next, let a program of yours in."))
            return redirect("agents:connect", made.space)
    status = 422 if form.errors else 200
    return render(request, "agents/new.html", {"form": form}, status=status)
