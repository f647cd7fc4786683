"""The admin's site: people come in and go out by the site's own doors, under a policy of the admin's own."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from urllib.parse import urlencode

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, resolve, reverse
from unfold.sites import UnfoldAdminSite

from companion_site.administration.navigation import GROUPS, Group
from companion_site.administration.pages import figures_page, language_models_page
from companion_site.llm.gateway import get_gateway

#: The one style sheet that htmx writes into a page by itself: how its requests in flight look.
HTMX_INDICATORS = "'sha256-bsV5JivYxvGywDAZ22EZJKBFip65Ng9xoJVLbBg7bdo='"

#: What the admin's pages need beyond the site's own policy. Alpine evaluates the expressions in their attributes,
#: and a few of their elements carry a style attribute; no inline script is among them.
POLICY = {
    "script-src": [UNSAFE_EVAL],
    "style-src-elem": [SELF, HTMX_INDICATORS],
    "style-src-attr": [UNSAFE_INLINE],
    "object-src": [NONE],
}


class Choices(AutocompleteJsonView):
    """What a field that refers to many rows offers; people with name, role and where they belong."""

    def serialize_result(self, obj: models.Model, to_field_name: str) -> dict[str, str]:
        result = super().serialize_result(obj, to_field_name)
        return {**result, "text": getattr(obj, "told", result["text"])}


class AdministrationSite(UnfoldAdminSite):
    """The admin of people with the role of staff."""

    @login_not_required
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send people to the site's log-in, which counts attempts and handles keys; turn others' roles away."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        target = request.GET.get("next") or reverse("admin:index")
        return redirect(f"{reverse('accounts:login')}?{urlencode({'next': target})}")

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Log out as everywhere, so that the key's cookie goes too."""
        return resolve(reverse("accounts:logout")).func(request)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send people to their account page: a password is changed together with what opens the memory."""
        return redirect("accounts:account")

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        return Choices.as_view(admin_site=self)(request)

    def extra_urls(self) -> list[URLPattern]:
        """Return the pages that are no model's own."""
        pages = {"figures": figures_page, "language-models": language_models_page}
        return [
            path(f"{slug}/", self.admin_view(partial(page, site=self)), name=slug.replace("-", "_"))
            for slug, page in pages.items()
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Say on the start page that no model is connected, as long as that is so."""
        context = {"is_without_model": not get_gateway().providers, **(extra_context or {})}
        return super().index(request, context)

    def admin_view(self, view: Callable, cacheable: bool = False) -> Callable:
        guarded = csp_update(POLICY)(super().admin_view(view, cacheable))
        return wraps(view)(guarded)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """Return the models of the start page in the sidebar's groups and words; an app's own page lists the app."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        found = {
            f"{app['app_label']}_{model['object_name'].lower()}": {**model, "app_label": app["app_label"]}
            for app in super().get_app_list(request)
            for model in app["models"]
        }
        return [group for group in map(partial(_listed, found=found), GROUPS) if group["models"]]

    def _get_colors(self, key: str, *args: Any) -> dict[str, dict[str, str]]:
        """Leave the colours to static/css/admin.css, so that no page carries a style sheet of its own."""
        return {}


def _listed(group: Group, *, found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return one group of the sidebar in the form of an app, with those of its models that may be seen."""
    title, pages = group
    models = [{**found[page], "name": label} for page, label, _icon in pages if page in found]
    first = models[0]["admin_url"] if models else ""
    return {"name": title, "app_label": "", "app_url": first, "has_module_perms": True, "models": models}
