"""Whose turn it is: what comes before the reply and after it differs between a student and somebody of a company."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter
from uuid import UUID

import structlog

from chat.access import ChatAccess
from chat.context import Context
from chat.models import Message
from chat.threads import in_thread
from chat.turn.company import CompanyInput, InjectInput, compose_company_step, inject_step
from chat.turn.composing import Composed, ComposeInput, compose_step
from chat.turn.meeting import MeetInput, meet_step
from chat.turn.recalling import CalledToMind, RecallInput, open_memory, recall_step
from companion_site.embeddings.service import embed_async
from companion_site.vault import unlocked
from ledger.matching import Triggered
from memory.company.confirming import confirm
from memory.company.injecting import Injection
from memory.services import touch

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The message of a turn."""

    access: ChatAccess
    message: Message
    text: str
    memory_on: bool
    now: datetime


@dataclass
class Side(ABC):
    """The part of a turn that knows what is remembered."""

    asked: Asked
    timings_ms: dict[str, float] = field(default_factory=dict)

    @abstractmethod
    async def compose(self) -> Composed:
        """Return what the model is asked."""

    @abstractmethod
    async def after_reply(self) -> None:
        """Note what was of use; the reply stands whether or not that succeeds."""

    @property
    def entries(self) -> Sequence[Triggered]:
        """What the message brought up of the ledger."""
        return ()

    @abstractmethod
    async def _find(self) -> None:
        """Find what bears on the message."""

    async def _recall(self) -> None:
        """Find what is remembered, with memory on; a fault here costs the reply its memory, never the reply."""
        if not self.asked.memory_on:
            return
        try:
            await self._find()
        except Exception:  # a poorer reply is better than none
            logger.exception("recall.failed", message=str(self.asked.message.pk))

    def _log(self, count: int) -> None:
        asked, timings = self.asked, self.timings_ms
        logger.info(
            "memory.recalled",
            space=str(asked.access.space),
            person=str(asked.access.person.pk),
            message=str(asked.message.pk),
            count=count,
            embed_ms=timings["embed"],
            duration_ms=round(timings["embed"] + timings["recall"], 1),
        )

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.timings_ms[step] = round((perf_counter() - started) * 1000, 1)


@dataclass
class StudentSide(Side):
    """A student: what they know of the world, what their graph and ledger call to mind."""

    called: CalledToMind = field(default_factory=CalledToMind)
    #: the memories that stood in the request
    in_request: list[UUID] = field(default_factory=list)

    async def compose(self) -> Composed:
        asked = self.asked
        meeting = MeetInput(access=asked.access, text=asked.text, learns=asked.memory_on, now=asked.now)
        # Unlike recall, without which a reply is merely poorer, the fog must stand before anything is said.
        met, _ = await asyncio.gather(in_thread(meet_step, meeting), self._recall())
        called = self.called
        context = Context(recalled=called.recalled, entries=called.entries, concepts=met.concepts)
        given = ComposeInput(
            access=asked.access, message=asked.message, text=asked.text, context=context, fog=met.fog
        )
        with self._timed("compose"):
            composed = await in_thread(compose_step, given)
        self.in_request = list(composed.recalled)
        return composed

    async def after_reply(self) -> None:
        if self.in_request:
            await in_thread(_touch, self.asked.access, self.in_request, self.asked.now)

    @property
    def entries(self) -> Sequence[Triggered]:
        return self.called.entries

    async def _find(self) -> None:
        asked = self.asked
        with self._timed("embed"):
            vectors, working_set = await asyncio.gather(
                embed_async([asked.text]), in_thread(open_memory, asked.access)
            )
        given = RecallInput(
            access=asked.access, working_set=working_set, text=asked.text, vector=vectors[0], now=asked.now
        )
        with self._timed("recall"):
            self.called = await in_thread(recall_step, given)
        self._log(len(self.called.recalled))


@dataclass
class CompanySide(Side):
    """Somebody of a company: the facts their company's people share, and the books as they stand."""

    injection: Injection = field(default_factory=Injection)

    async def compose(self) -> Composed:
        await self._recall()
        asked = self.asked
        given = CompanyInput(
            access=asked.access,
            message=asked.message,
            text=asked.text,
            now=asked.now,
            injection=self.injection,
        )
        with self._timed("compose"):
            return await in_thread(compose_company_step, given)

    async def after_reply(self) -> None:
        """Confirm what the person spoke of; nobody is asked whether it still holds."""
        confirmed = self.injection.confirmed
        if confirmed:
            await in_thread(confirm, self.asked.access.space, confirmed, now=self.asked.now)

    async def _find(self) -> None:
        asked = self.asked
        with self._timed("embed"):
            (vector,) = await embed_async([asked.text])
        given = InjectInput(
            access=asked.access,
            text=asked.text,
            language=asked.message.language,
            vector=vector,
            now=asked.now,
        )
        with self._timed("recall"):
            self.injection = await in_thread(inject_step, given)
        self._log(len(self.injection.facts))


def side_of(asked: Asked) -> Side:
    """Return the side for where the person chats: their own sealed space, or their company's."""
    return StudentSide(asked) if asked.access.remembers else CompanySide(asked)


def _touch(access: ChatAccess, nodes: list, now: datetime) -> None:
    with unlocked(access.space, access.key):
        touch(access.space, nodes, now=now)
