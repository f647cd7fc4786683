"""The tools over streamable HTTP, at one address inside the site.

The protocol's own library answers; this is what stands before it. Host, origin, method, size, token and rate are looked
at in that order, so that nobody's words are read or parsed before it is known whose they are. Nothing is held between two
requests: a process that restarts in between is not noticed. A session of a browser opens nothing here, only a token does.
"""

import json
import time
from collections.abc import Mapping
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils import timezone, translation
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_REQUEST

from companion_site.bounding import App, Message, Receive, Scope, Send, declared_bytes, headers_of, path_of
from memory.mcp import errors
from memory.mcp.bearer import Caller, admit, token_in
from memory.mcp.limits import REQUEST_BYTES, REQUESTS_A_MINUTE
from memory.mcp.server import build_server
from memory.mcp.threads import DATABASE_LOST, in_thread
from memory.mcp.throttle import Throttle

PATH = "/mcp"
THROTTLE = Throttle(REQUESTS_A_MINUTE)


def serve_agents(pages: App) -> App:
    """Return an application that answers agents at `PATH` and leaves everything else to `pages`."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if path_of(scope).rstrip("/") == PATH:
            await _answer(scope, receive, partial(_send_unkept, send))
        else:
            await pages(scope, receive, send)

    return served


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    try:
        headers = headers_of(scope)
        check_request(scope["method"], headers)
        caller = await _let_in(headers)
        THROTTLE.count(caller.access.space, clock_s=time.monotonic())
    except errors.Refused as refusal:
        await _refuse(refusal, send)
        return
    server = build_server(lambda: caller)
    manager = StreamableHTTPSessionManager(
        server, stateless=True, json_response=True, max_request_body_size=REQUEST_BYTES
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)


def check_request(method: str, headers: Mapping[str, str]) -> None:
    """Look at what a request says of itself.

    Raises:
        WrongHost, WrongOrigin, WrongMethod, BodyTooLarge.
    """
    if not _is_ours(headers.get("host", "")):
        raise errors.WrongHost()
    origin = headers.get("origin")
    if origin is not None and not _may_ask(origin):
        raise errors.WrongOrigin()
    if method != "POST":
        raise errors.WrongMethod()
    if not headers.get("content-length", "0").isdecimal() or declared_bytes(headers) > REQUEST_BYTES:
        raise errors.BodyTooLarge()


async def _let_in(headers: Mapping[str, str]) -> Caller:
    try:
        return await in_thread(admit, token_in(headers.get("authorization", "")), now=timezone.now())
    except DATABASE_LOST:
        raise errors.NotNow() from None


def _may_ask(origin: str) -> bool:
    """Tell whether a page of this origin may ask: one of this site's, or one that the settings name."""
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        return False
    return origin in settings.CSRF_TRUSTED_ORIGINS or _is_ours(host)


def _is_ours(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


async def _refuse(refusal: errors.Refused, send: Send) -> None:
    """Say no in the protocol's own form, so that its clients tell their people why."""
    with translation.override("en"):
        data = {"code": refusal.code, "retryable": refusal.retryable}
        error = {"code": INVALID_REQUEST, "message": str(refusal), "data": data}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **dict(refusal.headers),
    }
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def _send_unkept(send: Send, message: Message) -> None:
    """Pass a message on; whoever stands between keeps nothing of it."""
    if message["type"] == "http.response.start":
        extra = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
        message = {**message, "headers": [*message.get("headers", []), *extra]}
    await send(message)
