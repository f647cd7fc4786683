"""The tools over streamable HTTP, at one address inside the site.

The protocol's own library answers; this is what stands before it. Host, origin, method, size, token and rate are looked
at in that order, so that nobody's words are kept or parsed before it is known whose they are. Nothing is held between two
requests: a process that restarts in between is not noticed. A session of a browser opens nothing here, only a token does.
"""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from contextlib import nullcontext, suppress
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone, translation
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_REQUEST

from companion_site.accounts.limits import Limit
from companion_site.api.errors import headers_of_refusal
from companion_site.api.views import bearer_of, count_request
from companion_site.body_limits import App, Message, Receive, Scope, Send, declared_bytes, headers_of, path_of
from companion_site.errors import CompanionError
from companion_site.origins import is_from_our_page, is_our_host
from companion_site.vault.grants import Grant, cancelling
from memory.agents.mcp import errors
from memory.agents.mcp.protocol import PATH, REQUEST_BYTES, REQUESTS_A_MINUTE
from memory.agents.mcp.server import DATABASE_LOST, build_server, in_thread
from memory.agents.mcp.toolset import Caller, admit

#: of a body that is refused
READ_AWAY_BYTES, READ_AWAY_S = 4 * REQUEST_BYTES, 10.0
REQUESTS = Limit(name="MCP requests", most=REQUESTS_A_MINUTE)


def serve_agents(pages: App) -> App:
    """Return an application that answers agents at `PATH` and leaves everything else to `pages`."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if path_of(scope).rstrip("/") == PATH:
            await _answer(scope, receive, partial(_send_unkept, send))
        else:
            await pages(scope, receive, send)

    return served


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    answer = _Answer(send)
    try:
        headers = headers_of(scope)
        check_request(scope, headers)
        caller = await _let_in(headers)
    except CompanionError as refusal:
        await _read_away(receive)
        await _refuse(refusal, send)
        return
    try:
        with caller.granted() as answer.grant:
            await _until_ended(answer.grant, _handle(caller, scope, receive, answer))
    except CompanionError as refusal:
        if not answer.has_begun:
            await _refuse(refusal, send)


async def _handle(caller: Caller, scope: Scope, receive: Receive, send: Send) -> None:
    manager = StreamableHTTPSessionManager(
        build_server(lambda: caller), stateless=True, json_response=True, max_request_body_size=REQUEST_BYTES
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)


async def _until_ended(grant: Grant | None, work: Coroutine[Any, Any, None]) -> None:
    """Do what is asked, such as reading a body that comes slowly, for as long as the grant lasts."""
    doing = asyncio.create_task(work)
    with nullcontext() if grant is None else grant.when_ended(cancelling(doing)):
        try:
            await doing
        except asyncio.CancelledError:
            if grant is None or not grant.ended:
                raise


class _Answer:
    """Sends an answer on, but nothing under a grant that has ended."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.grant: Grant | None = None
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        if self.grant is None or not self.grant.ended:
            self.has_begun = True
            await self._send(message)


def check_request(scope: Scope, headers: Mapping[str, str]) -> None:
    """Look at what a request says of itself. Raises WrongHost, WrongOrigin, WrongMethod, RequestTooLarge."""
    if not is_our_host(scope):
        raise errors.WrongHost()
    if "origin" in headers and not is_from_our_page(scope):
        raise errors.WrongOrigin()
    if scope["method"] != "POST":
        raise errors.WrongMethod()
    if not headers.get("content-length", "0").isdecimal() or declared_bytes(headers) > REQUEST_BYTES:
        raise errors.RequestTooLarge()


async def _let_in(headers: Mapping[str, str]) -> Caller:
    try:
        return await in_thread(_admit, headers.get("authorization", ""), now=timezone.now())
    except DATABASE_LOST:
        raise errors.NotNow() from None


def _admit(header: str, *, now: datetime) -> Caller:
    """Return who an Authorization header lets in, and count the request."""
    caller = admit(bearer_of(header, now=now))
    count_request(caller.access.space, REQUESTS, now=now)
    return caller


async def _read_away(receive: Receive) -> None:
    """Read a body that nobody wants, since clients send all of it before they listen; so much of it, and for so long."""
    left, goes_on = READ_AWAY_BYTES, True
    with suppress(TimeoutError):
        async with asyncio.timeout(READ_AWAY_S):
            while goes_on and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                goes_on = message.get("more_body", False)


async def _refuse(refusal: CompanionError, send: Send) -> None:
    """Say no in the protocol's own form, so that its clients tell their people why."""
    with translation.override("en"):
        data = {"code": refusal.code, "retryable": refusal.retryable}
        error = {"code": INVALID_REQUEST, "message": str(refusal), "data": data}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers_of_refusal(refusal),
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
