"""Whose page asks: a socket, or a script that asks an address without a form, is answered for pages of this site alone.

A browser says where a page comes from in the Origin header, which no page can change. It must be this site's own origin, as the
request's Host header has it: scheme, host and port; another port of the same machine is another site. Behind a proxy that changes
one of them, `CSRF_TRUSTED_ORIGINS` names the origin that browsers see, as it does for forms.
"""

import io
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.utils.http import is_same_domain

from companion_site.body_limits import App, Receive, Scope, Send, headers_of

_PORTS = {"http": 80, "https": 443}


def only_from_our_pages(sockets: App) -> App:
    """Return an application that lets sockets of this site's own pages through, and no others."""

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        origin = headers_of(scope).get("origin")
        is_ours = origin is not None and is_our_origin(scope, origin)
        await (sockets if is_ours else WebsocketDenier())(scope, receive, send)

    return checked


def is_our_host(scope: Scope) -> bool:
    """Tell whether a request was sent to a name of this site."""
    return "host" in headers_of(scope) and _own_origin(scope) is not None


def is_our_origin(scope: Mapping[str, Any], origin: str) -> bool:
    """Tell whether a page of this origin is one of this site, or of an origin that the settings name."""
    asked, own = _parts(origin), _own_origin(scope)
    return asked is not None and (asked == own or any(_fits(asked, known) for known in _trusted()))


def _own_origin(scope: Mapping[str, Any]) -> tuple[str, str, int] | None:
    request = ASGIRequest({**scope, "method": scope.get("method", "GET")}, io.BytesIO())
    try:
        host = request.get_host()
    except DisallowedHost:
        return None
    scheme = {"ws": "http", "wss": "https"}.get(request.scheme or "", request.scheme)
    return _parts(f"{scheme}://{host}")


def _trusted() -> list[tuple[str, str, int]]:
    return [parts for origin in settings.CSRF_TRUSTED_ORIGINS if (parts := _parts(origin)) is not None]


def _fits(asked: tuple[str, str, int], known: tuple[str, str, int]) -> bool:
    """Tell whether an origin is a known one, or one below it where that is written with "*."."""
    (scheme, host, port), (known_scheme, known_host, known_port) = asked, known
    return (scheme, port) == (known_scheme, known_port) and is_same_domain(host, known_host.removeprefix("*"))


def _parts(origin: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port; None for what is no origin of a page."""
    try:
        url = urlsplit(origin)
        port = url.port
    except ValueError:
        return None
    if url.scheme not in _PORTS or not url.hostname or url.username is not None or url.path or url.query:
        return None
    return url.scheme, url.hostname, port if port is not None else _PORTS[url.scheme]
