"""The page on which staff see how the platform does, and look through what failed."""

from typing import Any
from uuid import UUID

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
from companion_site.metrics.charts import draw
from companion_site.metrics.collector import ask_all, figures_modules
from companion_site.metrics.figures import ReviewList

PAGE = "admin:figures"


def figures_page(request: PersonRequest, site: AdminSite) -> HttpResponse:
    """Show the figures; a post marks one thing of a list as reviewed. Only behind `site.admin_view`."""
    return _mark(request) if request.method == "POST" else _show(request, site)


def _show(request: HttpRequest, site: AdminSite) -> HttpResponse:
    now = timezone.now()
    standings, stood = ask_all(lambda module: module.standings(now))
    charts, charted = ask_all(lambda module: module.charts(now))
    lists, listed = ask_all(lambda module: module.review_lists())
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


def _mark(request: PersonRequest) -> HttpResponse:
    slug = request.POST.get("list", "")
    try:
        space, row = (UUID(request.POST.get(name, "")) for name in ("space", "row"))
    except ValueError:
        raise Http404
    for module in figures_modules().values():
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
