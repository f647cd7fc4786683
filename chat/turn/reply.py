"""The turn itself: compose, stream, and keep what came of it.

It runs from a socket, a form, a test or a command alike: news goes to a `LiveReply`, rows to the database. Nothing
here can lose the person's message, which was stored before the turn began.
"""

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils import timezone

from chat import services
from chat.access import ChatAccess
from chat.memories.intake import take_in_waiting
from chat.models import Message
from chat.replies import store
from chat.replies.live import LiveReply
from chat.summaries.service import fold_after_reply
from chat.threads import DATABASE_LOST, in_thread
from chat.turn.company import CompanySide
from chat.turn.message import Asked, Composed, Side
from chat.turn.packs import with_packs
from chat.turn.steps import Step, asking_gateway
from chat.turn.student import StudentSide
from companion_site.errors import CompanionError, SpaceLocked
from companion_site.llm.care import find_unnamed
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import ReplyTooLong, StreamInterrupted
from companion_site.llm.gateway import get_gateway
from companion_site.vault.grants import (
    Grant,
    cancelling_this_task,
    current_grant,
    using_grant,
    working_under,
)
from companion_site.vault.scope import space_scope
from overlay.guard import StreamGuard

logger = structlog.get_logger(__name__)

#: How often an unfinished reply is written down, in seconds: what a killed process can lose of it.
SAVE_EVERY_S = 0.5
BEAT_S = 2.0
#: A database that was lost is asked again so often, for so long, before a finished reply is given up.
ASK_AGAIN_S = 0.5
DATABASE_PATIENCE_S = 30.0


@dataclass
class Turn:
    """The state of one turn while it runs: what was just said, or said again, with the empty reply row that it is answered in.

    Attributes:
        gateway: who is asked.
        live: what the page sees of the reply.
        side: for where the person chats: their own sealed space, or their company's.
        grant: what the reply is written under: it ends when that does.
    """

    exchange: services.Exchange
    access: ChatAccess
    now: datetime
    gateway: Gateway = field(default_factory=get_gateway)
    live: LiveReply = field(init=False)
    side: Side = field(init=False)
    composed: Composed | None = None
    provider: str = ""
    model: str = ""
    saved_at: float = 0.0
    ended: Message.State | None = None
    begun: float = field(default_factory=perf_counter)
    grant: Grant | None = field(default_factory=current_grant)

    def __post_init__(self) -> None:
        self.live = LiveReply(self.exchange.reply.pk)
        asked = Asked(
            access=self.access,
            message=self.exchange.message,
            text=self.exchange.text,
            memory_on=self.exchange.memory_on,
            now=self.now,
            sensed=self.exchange.sensed,
            gateway=asking_gateway(self.gateway),
        )
        self.side = StudentSide(asked) if self.access.remembers else CompanySide(asked)

    async def run(self) -> None:
        """Answer the message; always ends in a reply of some state.

        Where its grant ends the reply is cut short at once, and nothing follows it.
        """
        self.live.task = self.live.task or asyncio.current_task()
        grant = self.grant
        stopping = nullcontext() if grant is None else grant.when_ended(cancelling_this_task())
        with working_under(grant), using_grant(), stopping:
            await self._run()

    async def _run(self) -> None:
        beat = asyncio.create_task(self._beat())
        try:
            await self._answer()
            await self._finish(Message.State.COMPLETE)
        except asyncio.CancelledError:
            await asyncio.shield(self._finish(Message.State.STOPPED))
        except StreamInterrupted as error:
            await self._finish(Message.State.INTERRUPTED, error)
        except CompanionError as error:
            await self._finish(Message.State.FAILED, error)
        except Exception:  # the page is told, whatever it was
            logger.exception("reply.failed", reply=str(self.exchange.reply.pk))
            await self._finish(Message.State.FAILED, CompanionError())
        finally:
            beat.cancel()
        try:
            await self._settle()
        except asyncio.CancelledError:
            if not self._is_ended:
                raise

    @property
    def _is_ended(self) -> bool:
        """Whether what the reply is written under has ended, and so nothing more is read or written with its key."""
        return self.grant is not None and self.grant.ended

    async def _answer(self) -> None:
        self.composed = await self.side.compose()
        composed, noted = self.composed, asyncio.ensure_future(self._note_outcome())
        await self.side.steps.take("reply", lambda step: self._stream(composed, noted, step))

    async def _note_outcome(self) -> None:
        """Have the tone stand on the row before the first word does: whoever reads it out asks for it then."""
        if self.side.outcome is None:
            return
        try:
            await in_thread(
                store.note_outcome, self.access, self.exchange.reply.pk, outcome=self.side.outcome
            )
        except Exception:  # without it the reply is read out in a plain voice
            logger.exception("reply.outcome_not_noted", reply=str(self.exchange.reply.pk))

    async def _stream(self, composed: Composed, noted: "asyncio.Future[None]", step: Step) -> None:
        """Let the reply out as it comes, less what the fog withholds."""
        started = perf_counter()
        guard, is_cut = StreamGuard(composed.fog, language=composed.request.language), False
        async with self.gateway.stream(composed.request, role="chat", purpose="chat.reply") as reply:
            try:
                async for piece in reply:
                    if "first_ms" not in step.counts:
                        step.counts["first_ms"] = round((perf_counter() - started) * 1000, 1)
                        await noted
                    await self._say(guard.feed(piece))
            except ReplyTooLong:
                step.counts["cut"] = 1
                is_cut = True
                raise
            finally:
                await noted
                self.live.add(guard.finish())
                language = composed.request.language
                self.live.add(find_unnamed(composed.request.care, self.live.text, language))
                if is_cut:
                    self.live.add(store.CUT_NOTES[language])
                self.provider, self.model = reply.provider, reply.model
                step.form = "offline" if self.provider == "offline" else "model"
        if guard.cut:
            logger.info("reply.veiled", reply=str(self.exchange.reply.pk), count=guard.cut)

    async def _say(self, text: str) -> None:
        """Let words out, and write down what there is now and then."""
        self.live.add(text)
        if text and perf_counter() - self.saved_at >= SAVE_EVERY_S:
            self.saved_at = perf_counter()
            await self._save()

    async def _save(self) -> None:
        """Write down what there is; while the database is away the next save carries it."""
        try:
            kept = await in_thread(
                store.save_partial,
                self.access,
                self.exchange.reply.pk,
                text=self.live.text,
                now=timezone.now(),
            )
        except DATABASE_LOST:
            logger.warning("reply.not_saved", reply=str(self.exchange.reply.pk))
            return
        except SpaceLocked:
            raise asyncio.CancelledError from None
        if not kept:
            raise asyncio.CancelledError

    async def _beat(self) -> None:
        """Show while nothing streams that somebody still works on this reply."""
        while True:
            await asyncio.sleep(BEAT_S)
            if perf_counter() - self.saved_at >= BEAT_S:
                await self._save()

    async def _finish(self, state: Message.State, error: CompanionError | None = None) -> None:
        """Write the reply's last form and tell whoever follows it, even where it cannot be written."""
        try:
            await self._write_down(state)
        except Exception:  # a page that never heard of the end would wait for ever
            if not self._is_ended:
                logger.exception("reply.unfinished", reply=str(self.exchange.reply.pk))
            state, error = Message.State.INTERRUPTED, error or StreamInterrupted()
        if self._is_ended:
            await self._interrupt()
        self.live.end(state, error)
        self.ended = state
        self._log(state)

    async def _interrupt(self) -> None:
        """Mark the reply as cut short; where that cannot be written, its row shows it by its time."""
        try:
            await in_thread(store.interrupt_reply, self.access.space, self.exchange.reply.pk)
        except DATABASE_LOST:
            logger.warning("reply.not_interrupted", reply=str(self.exchange.reply.pk))

    def _log(self, state: Message.State) -> None:
        composed = self.composed
        tell = logger.warning if state == Message.State.FAILED else logger.info
        tell(
            "reply.ended",
            space=str(self.access.space),
            person=str(self.access.person.pk),
            conversation=str(self.exchange.message.conversation_id),
            reply=str(self.exchange.reply.pk),
            state=str(state),
            provider=self.provider,
            model=self.model,
            recalled=len(composed.recalled) if composed else 0,
            duration_ms=round((perf_counter() - self.begun) * 1000, 1),
            **{f"{part}_ms": milliseconds for part, milliseconds in self.side.steps.timings_ms().items()},
        )

    async def _settle(self) -> None:
        """Note what was of use, have a long conversation summarised, and form what was said where no worker may hold the key; the reply stands
        whatever becomes of it."""
        if self._is_ended:
            return
        access = self.access
        try:
            if self.ended == Message.State.COMPLETE:
                taken = len(self.side.steps.taken)
                await self.side.after_reply()
                if len(self.side.steps.taken) > taken:
                    await in_thread(self._keep_steps)
            if self.ended in {Message.State.COMPLETE, Message.State.STOPPED}:
                conversation = self.exchange.message.conversation_id
                await in_thread(fold_after_reply, access, conversation, now=timezone.now())
            if not settings.LEASE_HOURS and access.remembers:
                await in_thread(take_in_waiting, access.space, key=access.key, now=timezone.now())
        except DATABASE_LOST:
            logger.warning("reply.not_settled", reply=str(self.exchange.reply.pk))
        except Exception:  # what follows a reply is no part of it
            logger.exception("reply.not_settled", reply=str(self.exchange.reply.pk))

    async def _write_down(self, state: Message.State) -> None:
        """Write the last form, waiting for a database that restarts."""
        deadline = perf_counter() + DATABASE_PATIENCE_S
        while True:
            try:
                await in_thread(self._finish_reply, state)
                return
            except DATABASE_LOST:
                if perf_counter() > deadline:
                    raise
            await asyncio.sleep(ASK_AGAIN_S)

    def _finish_reply(self, state: Message.State) -> None:
        """Write the last form once; measuring what the reply stood on takes a thread's time, not the loop's."""
        composed = self.composed
        store.finish_reply(
            self.access,
            self.exchange.reply.pk,
            text=self.live.text,
            state=state,
            now=timezone.now(),
            recalled=recalled_entries(composed) if composed is not None else [],
            memory_tokens=composed.memory_tokens if composed is not None else None,
            is_danger=bool(self.live.text) and self.side.sense().danger is not None,
            provider=self.provider,
            model=self.model,
            timings_ms=self.side.steps.timings_ms(),
            steps=self.side.steps.to_json(),
            outcome=with_packs(
                self.side.outcome,
                composed.materials if composed is not None else (),
                text=self.live.text,
                asked=self.exchange.text,
            ),
        )

    def _keep_steps(self) -> None:
        """Have the steps after a reply stand on its row as well."""
        space = self.access.space
        with space_scope(space):
            rows = Message.objects.for_space(space).filter(
                pk=self.exchange.reply.pk, state=Message.State.COMPLETE
            )
            rows.update(steps=self.side.steps.to_json())


def answer_at_once(access: ChatAccess, exchange: services.Exchange, *, now: datetime) -> None:
    """Write the reply before a page goes on, for who has no socket."""
    async_to_sync(Turn(exchange, access=access, now=now).run)()


def recalled_entries(composed: Composed) -> list[dict[str, Any]]:
    """Return the memories of a prompt as the reply's row keeps them: ids and numbers, never a word."""
    return [
        {
            "id": str(memory),
            "score": round(score, 4),
            "terms": {name: round(share, 2) for name, share in composed.terms.get(memory, {}).items()},
        }
        for memory, score in composed.recalled.items()
    ]
