"""One agent: how much it remembers, its name and profile, and giving it up."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.tokens import list_tokens
from memory.agents.agents import delete_agent
from memory.agents.names import rename_agent
from memory.agents.pages.access import Owned, agent_page
from memory.agents.pages.counts import count_held, count_types
from memory.agents.pages.forms import AgentForm, DeleteForm, profile_initial
from memory.agents.pages.rendering import render_page
from memory.agents.profiles import profile_of
from memory.nodes.errors import NodeInvalid
from memory.packs.mounts import mounted

form_page = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@agent_page
def overview(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Show who an agent is and how much it remembers."""
    context = {
        "types": count_types(owned.space),
        "held": count_held(owned.space),
        "packs": mounted(owned.space),
        "tokens": list_tokens(owned.space, now=timezone.now()),
    }
    return render_page(request, owned, "overview", context)


@form_page
@agent_page
def edit(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Change an agent's name and profile."""
    with owned.agent.access.open():
        row = owned.agent.agent
        initial = profile_initial(row.name, profile_of(row.profile))
    form = AgentForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            rename_agent(
                owned.owner.key,
                owned.agent.access,
                name=form.cleaned_data["name"],
                profile=form.profile(),
                now=timezone.now(),
            )
        except NodeInvalid as refused:
            form.refuse(refused)
        else:
            messages.success(request, _("Changed. It holds from the next context on."))
            return redirect("agents:overview", owned.space)
    return render_page(request, owned, "edit", {"form": form}, status=422 if form.errors else 200)


@form_page
@agent_page
def delete(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Give an agent up, after its name was typed."""
    with owned.agent.access.open():
        name = owned.agent.agent.name
    form = DeleteForm(request.POST or None, name=name)
    if request.method == "POST" and form.is_valid():
        delete_agent(owned.owner.key, owned.space, person=owned.owner.person, now=timezone.now())
        messages.success(request, _("The agent is deleted, and everything it remembered."))
        return redirect("agents:agents")
    context = {"form": form, "held": count_held(owned.space)}
    return render_page(request, owned, "delete", context, status=422 if form.errors else 200)
