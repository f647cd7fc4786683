"""The admin's site: people come in and go out by the site's own doors, under a policy of the admin's own."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse
from unfold.sites import UnfoldAdminSite

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


class AdministrationSite(UnfoldAdminSite):
    """The admin of people with the role of staff."""

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

    def admin_view(self, view: Callable, cacheable: bool = False) -> Callable:
        guarded = csp_update(POLICY)(super().admin_view(view, cacheable))
        return wraps(view)(guarded)

    def _get_colors(self, key: str, *args: Any) -> dict[str, dict[str, str]]:
        """Leave the colours to static/css/admin.css, so that no page carries a style sheet of its own."""
        return {}
