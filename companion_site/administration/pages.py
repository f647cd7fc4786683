"""The admin's pages beside those of models: figures and what failed, and which language models answer."""

from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from companion_site.accounts.requests import PersonRequest
from companion_site.administration.history import link_to
from companion_site.errors import NotFound
from companion_site.llm import local_servers
from companion_site.llm.connections import Trial, list_connections, try_provider
from companion_site.llm.gateway import PROVIDERS, limits_from_settings, make_provider
from companion_site.llm.local_servers import FoundServer, find_servers
from companion_site.llm.protocol import Provider
from companion_site.llm.types import LlmRole
from companion_site.metrics.charts import draw
from companion_site.metrics.collector import ask_all, figures_modules
from companion_site.metrics.figures import ReviewList, shown_time

ROLES: dict[str, LlmRole] = {"chat": "chat", "fast": "fast"}


def figures_page(request: PersonRequest, site: AdminSite) -> HttpResponse:
    """Show the figures; a post marks one thing of a list as reviewed. Only behind `site.admin_view`."""
    if request.method == "POST":
        return _mark_reviewed(request)
    now = timezone.now()
    standings, stood = ask_all(lambda module: getattr(module, "standings", lambda now: ())(now))
    charts, charted = ask_all(lambda module: module.charts(now))
    lists, listed = ask_all(lambda module: getattr(module, "review_lists", tuple)())
    context = {
        **site.each_context(request),
        "title": _("Figures"),
        "now": now,
        "standings": standings,
        "pictures": [draw(chart) for chart in charts],
        "lists": [_listed(one) for one in lists],
        "silent": [name for name in charted if not (stood[name] and charted[name] and listed[name])],
    }
    return TemplateResponse(request, "admin/figures/figures.html", context)


def _mark_reviewed(request: PersonRequest) -> HttpResponse:
    slug = request.POST.get("list", "")
    try:
        space, row = (UUID(request.POST.get(name, "")) for name in ("space", "row"))
    except ValueError:
        raise Http404
    for module in figures_modules().values():
        if not hasattr(module, "mark_reviewed"):
            continue
        try:
            module.mark_reviewed(slug, space, row, now=timezone.now(), actor=request.user)
        except NotFound:
            continue
        messages.success(request, _("Marked as reviewed."))
        return redirect(f"{request.path}#{slug}")
    raise Http404


def _listed(one: ReviewList) -> dict[str, Any]:
    rows = [
        {
            "item": row,
            "facts": list(zip(one.head, row.cells, strict=True)),
            "page": link_to(row.page, row.row),
            "space": link_to("vault_space", row.space),
        }
        for row in one.rows
    ]
    return {"list": one, "rows": rows}


def language_models_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Show who is asked; a post tries one of them. Only behind `site.admin_view`."""
    if request.method == "POST":
        return _try_model(request)
    connections = list_connections()
    context = {
        **site.each_context(request),
        "title": _("Connect a model"),
        "connections": connections,
        "is_without_model": all(connection.missing for connection in connections),
        "found": _find(request),
    }
    return TemplateResponse(request, "admin/language_models/language_models.html", context)


def _try_model(request: HttpRequest) -> HttpResponse:
    role = ROLES.get(request.POST.get("role", "chat"))
    provider = _named_provider(request)
    if provider is None or role is None:
        raise Http404
    trial = async_to_sync(try_provider)(provider, role=role)
    (messages.error if trial.reason else messages.success)(request, _told(trial))
    return redirect(request.path)


def _named_provider(request: HttpRequest) -> Provider | None:
    """Return whom the post names: one of the chain, or a model that a server on this machine says it has."""
    name, slug, model = (request.POST.get(field, "") for field in ("provider", "server", "model"))
    if name:
        return make_provider(name, limits_from_settings()) if name in PROVIDERS else None
    offered = next((one for one in _find(request) if one.server.slug == slug and model in one.models), None)
    if offered is None:
        return None
    from companion_site.llm.openai import OpenAIProvider  # its SDK takes a second to load

    return OpenAIProvider(
        api_key="",
        base_url=offered.server.base_url,
        models={"chat": model, "fast": model},
        limits=limits_from_settings(),
    )


def _find(request: HttpRequest) -> list[FoundServer]:
    return async_to_sync(find_servers)(local_servers.KNOWN, own_port=request.get_port())


def _told(trial: Trial) -> str:
    if trial.reason:
        return _("%(model)s: %(reason)s") % {"model": trial.call.model, "reason": trial.reason}
    return _("%(model)s answers: its first word after %(first)s, the whole after %(whole)s.") % {
        "model": trial.call.model,
        "first": shown_time(trial.call.first_token_ms or 0),
        "whole": shown_time(trial.call.duration_ms),
    }
