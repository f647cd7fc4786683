"""What no text holds: NUL, which PostgreSQL refuses, and lone halves of a character, which cannot be written in UTF-8.

Addresses, queries and forms that hold one are refused here, before any of it reaches a form, a query or a log. JSON is
refused where it is read (`accounts/strict_json.py`), and the REST API names the field. A cookie that holds one counts as not sent: it may be another program's, and
a refusal would come again with every request.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict, UnreadablePostError
from django.http.cookie import parse_cookie
from django.shortcuts import render
from django.utils import translation

from companion_site.api.body import is_of_api
from companion_site.body_limits import App, Receive, Scope, Send

View = Callable[..., HttpResponse]
_CHARSET = re.compile(rb";\s*charset\*?[0-9]*\*?\s*=[^;]*", re.IGNORECASE)


def is_text(word: str) -> bool:
    """Tell whether a database can keep it and UTF-8 write it."""
    return "\x00" not in word and not any("\ud800" <= char <= "\udfff" for char in word)


def characters_middleware(get_response: View) -> View:
    """Refuse a query or a form that holds what is no text, with 400; an address that does is none."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if is_text(request.path):
            return get_response(request)
        # In the asker's language as their program tells it: whose it is nobody knows yet.
        with translation.override(translation.get_language_from_request(request)):
            return render(request, "404.html", status=404)

    def process_view(request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Look at the query, and at a form where the check against forged requests reads it anyway."""
        if not is_of_api(request.path) and not all(map(is_text, _words(request.GET))):
            return render(request, "400.html", status=400)
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        try:
            words = list(_words(request.POST))
        except UnreadablePostError:
            return None
        return None if all(map(is_text, words)) else render(request, "400.html", status=400)

    middleware.process_view = process_view  # type: ignore[attr-defined]
    return middleware


def with_readable_headers(app: App) -> App:
    """Return `app`, for pages and sockets, which sees no cookie that is no text, and of bodies no other coding than UTF-8.

    Any of Python's codecs could be named, such as one that makes lone halves, and Django would not begin with some.
    """

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = {**scope, "headers": list(_readable(scope["headers"]))}
        await app(scope, receive, send)

    return served


def _readable(headers: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[bytes, bytes]]:
    for name, value in headers:
        if name == b"content-type":
            yield name, _CHARSET.sub(b"", value)
        elif name != b"cookie" or all(map(is_text, parse_cookie(value.decode("latin-1")).values())):
            yield name, value


def _words(given: QueryDict) -> Iterable[str]:
    for name, values in given.lists():
        yield name
        yield from (value for value in values if isinstance(value, str))
