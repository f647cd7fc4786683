"""Whose page asks: a socket, or a script that asks an address without a form, is answered for pages of this site alone.

A browser says where a page comes from in the Origin header, which no page can change. It must be this site's own origin, as the
request's Host header has it: scheme, host and port; another port of the same machine is another site. Behind a proxy that changes
one of them, `CSRF_TRUSTED_ORIGINS` names the origin that browsers see. Django judges it, as it does for forms.
"""

import io
from collections.abc import Mapping
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from companion_site.body_limits import App, Receive, Scope, Send


def only_from_our_pages(sockets: App) -> App:
    """Return an application that lets sockets of this site's own pages through, and no others."""

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        await (sockets if is_from_our_page(scope) else WebsocketDenier())(scope, receive, send)

    return checked


def is_our_host(scope: Mapping[str, Any]) -> bool:
    """Tell whether a request was sent to a name of this site."""
    request = _request(scope)
    try:
        return "HTTP_HOST" in request.META and bool(request.get_host())
    except DisallowedHost:
        return False


def is_from_our_page(scope: Mapping[str, Any]) -> bool:
    """Tell whether a request names an origin, and that is this site's, or one that the settings name."""
    request = _request(scope)
    forms = CsrfViewMiddleware(lambda request: HttpResponse())
    return "HTTP_ORIGIN" in request.META and forms._origin_verified(request)  # type: ignore[attr-defined]


def _request(scope: Mapping[str, Any]) -> ASGIRequest:
    """Return what opens a socket, too, as a request for a page of the same site."""
    scheme = "https" if scope.get("scheme") in {"https", "wss"} else "http"
    return ASGIRequest({"method": "GET", **scope, "scheme": scheme}, io.BytesIO())
