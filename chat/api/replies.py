"""Having a reply written for a program, as a page has it written by its socket.

The turn is a task of the server's own loop, where pages find it to follow and to stop, and goes on when nobody waits any
longer. Without such a loop, as under a server of the older kind, it is done before the answer.
"""

import asyncio
from asyncio import CancelledError
from contextlib import nullcontext, suppress
from contextvars import Context
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.utils import timezone, translation

from chat.access import ChatAccess
from chat.memories.intake import take_in_waiting
from chat.notices import announce_begun
from chat.replies.live import LiveReply, live_replies
from chat.services import Exchange
from chat.threads import in_thread
from chat.turn.reply import Turn, TurnInput
from companion_site.llm.gateway import get_gateway
from companion_site.vault.grants import cancelling, current_grant, using_grant, working_under


def write_reply(access: ChatAccess, exchange: Exchange, request: HttpRequest, *, wait_s: int) -> None:
    """Have what was said answered; wait for it, but no longer than asked."""
    given = TurnInput(exchange, access=access, gateway=get_gateway(), now=timezone.now())
    if isinstance(request, ASGIRequest):
        async_to_sync(_start)(given, exchange, wait_s=wait_s)
    else:
        async_to_sync(_answer)(Turn(given, LiveReply(exchange.reply.pk)))


def wait_for(reply: UUID, request: HttpRequest, *, wait_s: int) -> None:
    """Wait until a reply that this process is writing has ended, but no longer than asked."""
    if wait_s and isinstance(request, ASGIRequest):
        async_to_sync(_wait)(reply, wait_s)


async def _start(given: TurnInput, exchange: Exchange, *, wait_s: int) -> None:
    turn = Turn(given, LiveReply(given.reply.pk))
    # A context of its own: what is written on outlives the request, with all that hangs on its context.
    Context().run(_begin, turn)
    message, reply = exchange.message, exchange.reply
    await announce_begun(
        message.conversation_id, message=message.pk, reply=reply.pk, replaces=exchange.replaces
    )
    if wait_s:
        await _wait(reply.pk, wait_s)


def _begin(turn: Turn) -> None:
    translation.activate(turn.given.access.person.language)
    live_replies.start(turn.live, _answer(turn))


async def _answer(turn: Turn) -> None:
    """Run a turn; where no worker may hold the key, form now what was said."""
    with working_under(turn.grant), using_grant():
        await turn.run()
        access = turn.given.access
        if not settings.LEASE_HOURS and access.remembers:
            await in_thread(take_in_waiting, access.space, key=access.key, now=timezone.now())


async def _wait(reply: UUID, wait_s: int) -> None:
    """Wait for a reply of whoever's, but no longer than asked, nor than the grant of who waits lasts."""
    live = live_replies.get(reply)
    if live is None or live.task is None:
        return
    waiting, grant = asyncio.ensure_future(asyncio.wait({live.task}, timeout=wait_s)), current_grant()
    with nullcontext() if grant is None else grant.when_ended(cancelling(waiting)), suppress(CancelledError):
        await waiting
