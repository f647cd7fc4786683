"""Letting programs in: an agent's tokens, and what to paste where."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.errors import TooManyTokens
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.tokens import Scope
from memory.agents.agents import add_token, agent_tokens, take_token_back
from memory.agents.pages.access import Owned, agent_page
from memory.agents.pages.connection import is_readable_on_the_way, keep_token, mcp_address, recipes
from memory.agents.pages.forms import AgentTokenForm
from memory.agents.pages.rendering import render_page


@require_safe
@agent_page
def connect(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Show an agent's tokens, and how a client finds it."""
    return _page(request, owned, _form(owned))


@require_POST
@agent_page
def make_token(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Make a token for an agent and show it, once."""
    form, now = _form(owned, request.POST), timezone.now()
    if form.is_valid():
        try:
            token, text = add_token(
                owned.owner.key,
                owned.space,
                person=owned.owner.person,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                expires_at=form.expires_at(now),
                now=now,
            )
        except TooManyTokens as refused:
            form.add_error(None, str(refused))
        else:
            shown = {"token": token, "text": text, "line": keep_token(text), "agent_id": owned.space}
            return render(request, "agents/token.html", shown)
    return _page(request, owned, form, status=422)


@require_POST
@agent_page
def revoke_token(request: PersonRequest, owned: Owned, token_id: UUID) -> HttpResponse:
    """Take a token of an agent back."""
    take_token_back(owned.owner.key, owned.space, token_id, person=owned.owner.person, now=timezone.now())
    messages.success(request, _("Revoked: this token opens nothing any more."))
    return redirect(f"{resolve_url('agents:connect', owned.space)}#tokens-title")


def _form(owned: Owned, data: Any = None) -> AgentTokenForm:
    return AgentTokenForm(data, person=owned.owner.person, auto_id="token_%s")


def _page(request: PersonRequest, owned: Owned, form: AgentTokenForm, *, status: int = 200) -> HttpResponse:
    address = mcp_address(request)
    standing = agent_tokens(owned.owner.key, owned.space, now=timezone.now())
    context = {
        "tokens": [
            {"row": row, "scopes": [Scope(one).label for one in row.scopes if one in Scope.values]}
            for row in standing
        ],
        "token_form": form,
        "address": address,
        "recipes": recipes(address),
        "is_readable": is_readable_on_the_way(request),
    }
    return render_page(request, owned, "connect", context, status=status)
