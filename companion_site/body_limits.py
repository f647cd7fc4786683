"""Upper bounds on what may be sent, held while it comes in.

Django takes in a whole body before it asks anybody whose it is, and a large one on disk. So the bounds are held at the door: what says
that it is larger is not read, and what turns out to be larger is cut off.
"""

import io
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.utils import translation

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[..., Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Bound:
    """How large the bodies of some addresses may be.

    Attributes:
        takes: whether a path, as Django's addresses have it, is one of them.
        most: returns the bytes that a request may have, from its headers by their names in lower case.
        refuse: returns status, content type and body of a refusal, in the language that is active.
    """

    takes: Callable[[str], bool]
    most: Callable[[Mapping[str, str]], Awaitable[int]]
    refuse: Callable[[], tuple[int, str, bytes]]


def bound_bodies(app: App, bounds: Sequence[Bound]) -> App:
    """Return `app` behind the bounds; of a path that several take, the first holds."""

    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        path = path_of(scope)
        bound = next((bound for bound in bounds if bound.takes(path)), None)
        if bound is None:
            await app(scope, receive, send)
            return
        headers = headers_of(scope)
        most = await bound.most(headers)
        if declared_bytes(headers) > most:
            await _refuse(bound, scope, send)
            return
        left, is_over = most, False

        async def counted() -> Message:
            nonlocal left, is_over
            if is_over:
                return {"type": "http.disconnect"}
            message = await receive()
            left -= len(message.get("body", b""))
            if left >= 0:
                return message
            is_over = True
            await _refuse(bound, scope, send)
            return {"type": "http.disconnect"}

        async def answered(message: Message) -> None:
            if not is_over:
                await send(message)

        await app(scope, counted, answered)

    return bounded


def path_of(scope: Mapping[str, Any]) -> str:
    """Return the path of a request as Django reads it, without the prefix under which the site lies."""
    prefix: str = settings.FORCE_SCRIPT_NAME or scope.get("root_path", "")
    path: str = scope["path"]
    return path.removeprefix(prefix)


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def declared_bytes(headers: Mapping[str, str]) -> int:
    """Return how many bytes the request says it has; 0 where it does not say."""
    text = headers.get("content-length", "0")
    return int(text[:20]) if text.isascii() and text.isdigit() else 0


async def _refuse(bound: Bound, scope: Scope, send: Send) -> None:
    """Say that it is too large, in the asker's language as their program tells it: whose it is nobody knows yet."""
    with translation.override(translation.get_language_from_request(ASGIRequest(scope, io.BytesIO()))):
        status, kind, body = bound.refuse()
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
