"""One browser tab talking to its person's companion: transport only, no rules.

Replies run as tasks of the process, not of the socket: a consumer handles one frame at a time, so awaiting a stream
here would leave "stop" waiting behind it, and a reply goes on when its tab has gone.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic
from typing import Any
from uuid import UUID

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import timezone, translation

from chat import protocol, services
from chat.access import ChatAccess, chat_access, own_conversation
from chat.conversations.properties import keep_draft
from chat.memories.exchange import leave_page
from chat.memories.formation import Awaited
from chat.models import Conversation, Message
from chat.notices import announce_begun, group_of
from chat.replies.live import LiveReply, live_replies, start_reply, stop_reply
from chat.replies.markdown import draw
from chat.replies.presentation import render_message, show_messages
from chat.threads import in_thread
from chat.turn.reply import Turn
from companion_site.accounts.sessions import LogIn, renew
from companion_site.errors import CompanionError, InvalidInput, NotFound, SpaceLocked
from companion_site.vault.grants import Grant, granted
from companion_site.vault.sessions import key_from

logger = structlog.get_logger(__name__)

FRAME_BYTES = 4 * settings.MESSAGE_MAX_CHARS + 1024
ELSEWHERE_POLL_S = 0.5
#: A growing reply is drawn no oftener, and takes no more than a tenth of the time.
DRAWN_EVERY_S, DRAWING_SHARE = 0.15, 0.1


class ChatConsumer(AsyncWebsocketConsumer):
    """The socket of one open conversation."""

    access: ChatAccess
    conversation: Conversation
    awaited: Awaited
    grant: Grant | None = None

    async def __call__(self, *args: Any) -> None:
        with ExitStack() as self.held:  # for as long as it is open
            await super().__call__(*args)

    async def connect(self) -> None:
        self.following: dict[UUID, asyncio.Task[None]] = {}
        self.joined = False
        self.language = "en"
        await self.accept()
        try:
            await self._enter()
        except SpaceLocked:
            # Why it was refused: nobody is logged in, there is no key, or the log-in has just ended.
            logger.info(
                "socket.refused",
                is_logged_in=self.scope["user"].is_authenticated,
                has_key=self.grant is not None and self.grant.space is not None,
                is_ended=self._is_ended,
            )
            await self._log_out()
        except NotFound:
            await self.close(protocol.NO_SUCH_CONVERSATION)

    async def disconnect(self, code: int) -> None:
        self._end_tasks()
        if self.joined:
            await self.channel_layer.group_discard(group_of(self.conversation.pk), self.channel_name)
            if not self._is_ended:
                await leave_page(self.access, self.conversation)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame = None
        try:
            with translation.override(self.language):
                frame = protocol.parse_frame(_decoded(text_data))
                await self._renew()
                await self._handle(frame)
        except CompanionError as error:
            await self._fail(
                error, client_id=getattr(frame, "client_id", None), reply=getattr(frame, "reply", None)
            )
        except Exception:  # whatever it was, the socket lives and the page is told
            logger.exception("socket.failed", frame=type(frame).__name__)
            await self._fail(CompanionError(), client_id=getattr(frame, "client_id", None))

    async def memory_formed(self, event: dict[str, Any]) -> None:
        """Tell the page that a message has been remembered (from the channel layer)."""
        message = UUID(event["message"])
        self.awaited.settle(message)
        await self._tell_remembered(message, event["count"])

    async def exchange_begun(self, event: dict[str, Any]) -> None:
        """Show what the person said in another of their tabs, and follow the reply (from the channel layer)."""
        if event["sender"] == self.channel_name:
            return
        sent = UUID(event["message"])
        message = await self._ask(services.find_message, sent)
        if message is None or message.client_id is None:
            return
        if event["replaces"]:
            await self._send(protocol.replaced(UUID(event["replaces"])))
        await self._accept(message, message.client_id)
        if message.parent_id is None:
            title = await self._ask(services.read_title)
            await self._send(protocol.title(title))
        if self.following:
            self._watch(UUID(event["reply"]), self._poll(UUID(event["reply"]), quietly=True))
        else:
            await self._resume(protocol.Resume(type="chat.resume", reply=UUID(event["reply"])))

    async def reply_noted(self, event: dict[str, Any]) -> None:
        """Show under a reply what was noted of its message (from the channel layer)."""
        reply = await self._ask(services.find_reply, UUID(event["reply"]))
        if reply is not None:
            await self._send(protocol.noted(reply.pk, await self._render(reply)))

    async def reply_stop(self, event: dict[str, Any]) -> None:
        """Stop a reply that this process may be writing (from the channel layer)."""
        live = live_replies.get(UUID(event["reply"]))
        if live is not None:
            live.stop()

    async def conversation_deleted(self, event: dict[str, Any]) -> None:
        """Stop what is being written and close, since the conversation is gone (from the channel layer)."""
        for reply in self.following:
            if (live := live_replies.get(reply)) is not None:
                live.stop()
        self._end_tasks()
        await self.close(protocol.NO_SUCH_CONVERSATION)

    async def conversation_turned(self, event: dict[str, Any]) -> None:
        """Have the page show which versions stand in its conversation by now (from the channel layer)."""
        await self._send(protocol.turned())

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Take what comes from the browser or the channel layer; under a grant that has ended, its end alone."""
        if self._is_ended and message["type"] != "websocket.disconnect":
            return
        try:
            await super().dispatch(message)
        except SpaceLocked:
            if not self._is_ended:
                raise

    @property
    def _is_ended(self) -> bool:
        return self.grant is not None and self.grant.ended

    async def _renew(self) -> None:
        """Start the idle time of the log-in again.

        Raises:
            SpaceLocked: it has ended.
        """
        if not await in_thread(renew, self.scope["session"].session_key, now=timezone.now()):
            if self.grant is not None:
                self.grant.end()
            raise SpaceLocked()

    async def _enter(self) -> None:
        """Find out who is here, and in which conversation; from here on the socket is open under their log-in's grant."""
        person, session = self.scope["user"], self.scope["session"]
        if not person.is_authenticated:
            raise SpaceLocked()
        self.language = person.language
        key = await in_thread(key_from, session, self.scope["cookies"])
        grant = granted(LogIn(session.session_key), key.space if key is not None else None)
        self.grant = self.held.enter_context(grant)
        self.held.enter_context(self.grant.when_ended(self._log_out_soon()))
        self.access = await in_thread(chat_access, person, key)
        conversation = self.scope["url_route"]["kwargs"]["conversation_id"]
        self.conversation = await in_thread(own_conversation, self.access, conversation)
        self.awaited = Awaited(self.access, self._tell_remembered)
        await self.channel_layer.group_add(group_of(self.conversation.pk), self.channel_name)
        self.joined = True

    def _log_out_soon(self) -> Callable[[], object]:
        """Return what ends this socket from any thread, once it is known that its log-in has ended."""
        loop = asyncio.get_running_loop()
        return lambda: asyncio.run_coroutine_threadsafe(self._log_out(), loop)

    async def _log_out(self) -> None:
        """Send nothing more and close; the page then shows how to log in, or comes back where nobody knows whether it must."""
        self._end_tasks()
        is_known = self.grant is None or self.grant.is_known
        await self.close(protocol.LOGGED_OUT if is_known else protocol.COME_BACK)

    def _end_tasks(self) -> None:
        for task in self.following.values():
            task.cancel()
        if self.joined:
            self.awaited.end()

    async def _handle(self, frame: protocol.Frame) -> None:
        match frame:
            case protocol.Say():
                await self._say(frame)
            case protocol.Draft():
                await self._ask(keep_draft, text=frame.text)
            case protocol.Stop():
                await self._stop(frame.reply)
            case protocol.Retry():
                now = timezone.now()
                exchange = await self._ask(services.retry_reply, frame.reply, now=now)
                await self._clear(exchange)
                await self._begin(exchange)
            case protocol.Resume():
                self.awaited.add(frame.awaiting)
                if frame.shown is not None and await self._is_set_aside(frame.shown):
                    await self._send(protocol.turned())
                await self._resume(frame)

    async def _is_set_aside(self, message: UUID) -> bool:
        """Tell whether a page came back with a message whose place another version has taken since it was drawn."""
        row = await self._ask(services.find_message, message)
        return row is not None and row.set_aside_with is not None

    async def _ask(self, service: Callable[..., Any], *args: Any, **given: Any) -> Any:
        """Call a service of this person's conversation."""
        return await in_thread(service, self.access, self.conversation.pk, *args, **given)

    async def _say(self, frame: protocol.Say) -> None:
        exchange = await self._ask(
            services.say,
            text=frame.text,
            client_id=frame.client_id,
            spoken=frame.spoken,
            sound=frame.sound and frame.sound.model_dump(),
            instead_of=frame.instead_of,
            attachments=frame.attachments,
            now=timezone.now(),
        )
        await self._clear(exchange)
        await self._accept(exchange.message, frame.client_id)
        if exchange.title is not None:
            await self._send(protocol.title(exchange.title))
        if exchange.is_new:
            await self._begin(exchange)
        else:
            await self._resume(protocol.Resume(type="chat.resume", reply=exchange.reply.pk))

    async def _clear(self, exchange: services.Exchange) -> None:
        """Have the page make room for another version of a message."""
        if exchange.replaces is not None:
            await self._send(protocol.replaced(exchange.replaces))

    async def _accept(self, message: Message, client_id: UUID) -> None:
        """Show a message as stored, and see to it that the page is told when it has been remembered."""
        await self._send(protocol.accepted(client_id, message.pk, await self._render(message)))
        self.awaited.add([message.pk])

    async def _begin(self, exchange: services.Exchange) -> None:
        """Start the turn and follow its reply."""
        turn = Turn(exchange, access=self.access, now=timezone.now())
        start_reply(turn.live, turn.run())
        await self._send(protocol.started(exchange.reply.pk, await self._render(exchange.reply)))
        self._follow(turn.live, after=0)
        await announce_begun(
            exchange.message, exchange.reply, replaces=exchange.replaces, sender=self.channel_name
        )

    async def _resume(self, frame: protocol.Resume) -> None:
        """Bring a reconnected page up to date: the open reply, or the one it was following."""
        reply = await self._ask(services.find_reply, frame.reply)
        if reply is None:
            return
        live = live_replies.get(reply.pk)
        if live is not None:
            if frame.seq == 0 or frame.seq > len(live.pieces):
                await self._send(protocol.started(reply.pk, await self._render(reply)))
            seq = len(live.pieces)
            await self._send(protocol.snapshot(reply.pk, seq, live.text))
            self._follow(live, after=seq)
        elif reply.state == Message.State.STREAMING:
            self._watch(reply.pk, self._poll(reply.pk))
        else:
            await self._send_done(reply)

    async def _stop(self, reply: UUID) -> None:
        if await self._ask(services.find_reply, reply) is None:
            raise NotFound()
        await stop_reply(self.conversation.pk, reply)

    def _follow(self, live: LiveReply, *, after: int) -> None:
        """Let the page see this reply grow; it can show one so, others come when they are done."""
        for other in self.following.keys() - {live.reply}:
            self._watch(other, self._poll(other, quietly=True))
        self._watch(live.reply, self._forward(live, after))

    def _watch(self, reply: UUID, work: Any) -> None:
        if (old := self.following.pop(reply, None)) is not None:
            old.cancel()
        task = asyncio.create_task(work)
        self.following[reply] = task
        task.add_done_callback(lambda done: self.following.get(reply) is done and self.following.pop(reply))

    async def _forward(self, live: LiveReply, after: int) -> None:
        """Send a reply's pieces as they come, then its final form."""
        drawn_chars, due = 0, 0.0
        async for seq, piece in live.follow(after):
            await self._send(protocol.delta(live.reply, seq, piece))
            if (began := monotonic()) >= due:
                # What came while it was drawn is sent behind it, piece by piece.
                text = "".join(live.pieces[:seq])
                ended, growing, drawn_chars = await in_thread(draw, text, drawn_chars)
                await self._send(protocol.drawn(live.reply, ended, growing))
                due = began + max(DRAWN_EVERY_S, (monotonic() - began) / DRAWING_SHARE)
        if live.error is not None:
            with translation.override(self.language):
                await self._fail(live.error, reply=live.reply)
        reply = await self._ask(services.find_reply, live.reply)
        if reply is not None:
            await self._send_done(reply)

    async def _poll(self, reply_id: UUID, *, quietly: bool = False) -> None:
        """Follow a reply by its row, as one that another process writes; a dead process's ends as interrupted.

        Args:
            quietly: send its final form only.
        """
        length = -1
        while True:
            reply = await self._ask(services.find_reply, reply_id)
            if reply is None:
                return
            if reply.state != Message.State.STREAMING:
                await self._send_done(reply)
                return
            text = "" if quietly else await in_thread(services.read_text, self.access, reply)
            if not quietly and len(text) != length:
                length = len(text)
                await self._send(protocol.snapshot(reply.pk, 0, text))
            await asyncio.sleep(ELSEWHERE_POLL_S)

    async def _tell_remembered(self, message: UUID, count: int) -> None:
        if not count:
            return
        row = await self._ask(services.find_message, message)
        if row is not None:
            await self._send(protocol.remembered(message, count, await self._render(row)))

    async def _send_done(self, reply: Message) -> None:
        await self._send(protocol.done(reply.pk, await self._render(reply), reply.state))

    async def _render(self, message: Message) -> str:
        return await in_thread(self._render_now, message)

    def _render_now(self, message: Message) -> str:
        with translation.override(self.language):
            (shown,) = show_messages(self.access, [message], now=timezone.now())
            return render_message(shown)

    async def _fail(self, error: CompanionError, **ids: UUID | None) -> None:
        logger.info("socket.refused", code=error.code)
        with translation.override(self.language):
            await self._send(protocol.failure(error, **ids))

    async def _send(self, event: dict[str, Any]) -> None:
        if self._is_ended:
            return
        await self.send(text_data=json.dumps(event))


def _decoded(text: str | None) -> Any:
    """Return what a frame says.

    Raises:
        InvalidInput: binary, larger than any message may be, or not JSON.
    """
    if text is None or len(text) > FRAME_BYTES:
        raise InvalidInput()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput() from None
