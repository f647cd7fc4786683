"""A scenario lived through the site's own services: told, slept over, cleaned up, and asked.

Each message is said, answered by the whole turn and formed; a company's conversation is read when it falls silent. Between two
sittings passes the time that lies between them: sleeps come when the space's own clock says so, what has expired goes, a company's
memory is compressed when that is due. A question is asked as everything is said, up to the request and the reply, and leaves nothing
behind, so that each finds the memory as life has left it.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import numpy as np

from bench.commands import CouldNotLive
from bench.judge import is_made_of, plain, says
from bench.scenarios import Need, Scenario, Sitting, weeks_of
from bench.students import enter_person
from chat.access import ChatAccess
from chat.company.dialogue import read_conversation
from chat.memories.exchange import read_exchange
from chat.memories.formation import form_from_message
from chat.models import Conversation, Message
from chat.services import Exchange, begin_conversation, read_text, say
from chat.turn.message import Composed, Side
from chat.turn.recall import open_memory
from chat.turn.reply import Turn
from chat.turn.student import StudentSide
from companion_site.accounts.services import create_company
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.llm.chain import Gateway
from companion_site.llm.gateway import get_gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from ledger.entries import list_entries
from memory.company.params import COMPANY
from memory.company.summaries.service import compress as compress_company
from memory.models import CompanyCompression, CompanyFact, CompressionRun, MemoryNode, MemorySource
from memory.student.compression.run import begin_run, compress, is_due
from memory.student.life.goals import list_goals
from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.params import SLEEP
from memory.student.recall.ranking import rank_memories
from memory.student.sleep.run import sleep_through
from memory.student.sleep.store import expire_short_term
from overlay.guard import StreamGuard

#: After the last sitting, between two things that happen once.
PAUSE = timedelta(hours=1)
#: Sleeps between two sittings, at the most: a clock that stands still would have no end.
MOST_SLEEPS = 50
#: How far down a ranking is looked, for what the choice after it left out.
NEAR = 10
#: A piece of junk is a memory's source from this share of it.
COVERED = 0.5


@dataclass(frozen=True)
class Request:
    """What a message brought into the request, and what was said to the person.

    Attributes:
        recalled: texts that were called to mind, whether or not they stand in the request; ranked: the first of the ranking alone.
        shown: the reply of the companion without a model; by_model: that of the first provider that answered, "" for none.
    """

    composed: Composed
    recalled: Sequence[str]
    ranked: Sequence[str]
    shown: str
    by_model: str


@dataclass(frozen=True)
class Kept:
    """What the memory holds at some moment.

    Attributes:
        after: what had happened just before: "told", "sleep", "clean_up" or "time".
        texts: everything that it holds, plain.
    """

    after: str
    texts: tuple[str, ...]

    def says(self, need: Need) -> bool:
        return any(says(text, need) for text in self.texts)


@dataclass
class Life:
    """One scenario while it is lived.

    Attributes:
        people: who writes, by the name the file gives them.
        kept: the memory after each thing that changed it, in order.
    """

    scenario: Scenario
    runner: asyncio.Runner
    logs_out: bool = False
    people: dict[str, ChatAccess] = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)
    message_of: dict[UUID, str] = field(default_factory=dict)
    now: datetime = field(init=False)

    def __post_init__(self) -> None:
        scenario = self.scenario
        self.now = scenario.sittings[0].at - timedelta(days=1)
        self.people = _enter_all(scenario, now=self.now)

    @property
    def is_company(self) -> bool:
        return self.scenario.side == "company"

    @property
    def access(self) -> ChatAccess:
        """Who asks: the first to have written."""
        return self.people[self.scenario.sittings[0].by]

    # --- living -----------------------------------------------------------------------------------------------------

    def live(self) -> None:
        """Live everything up to the questions.

        Raises:
            CouldNotLive: a reply, a sleep or a clean-up failed.
        """
        for sitting in self.scenario.sittings:
            self._pass_until(sitting.at)
            self._sit(sitting)
        for step in self.scenario.after:
            self._pass_until(self.now + PAUSE)
            if step == "sleep":
                self._pass_until(self.now + timedelta(hours=SLEEP.after_hours))
                if not self.is_company:
                    self._sleep(self.now)
            elif step == "clean_up":
                self._clean_up()
            else:
                self._pass_until(self.now + timedelta(weeks=weeks_of(step)))
        self._pass_until(min(question.at for question in self.scenario.questions))

    def _sit(self, sitting: Sitting) -> None:
        access, times = self.people[sitting.by], sitting.times()
        exchanges = converse(access, zip(sitting.messages, times, strict=True), runner=self.runner)
        for self.now, exchange in zip(times, exchanges, strict=True):
            self.message_of[exchange.message.pk] = exchange.text
            if not self.is_company:
                form_from_message(access.space, exchange.message.pk, key=access.key, now=self.now)
                self._note("told")
        conversation = exchange.message.conversation_id
        if not self.is_company:
            read_exchange(access.space, conversation, key=access.key, now=self.now + PAUSE)
        if self.is_company:
            self.now += COMPANY.silence
            read_conversation(access.space, conversation, now=self.now)
            self._note("told")
        elif self.logs_out:
            self.now += timedelta(minutes=30)
            with space_scope(access.space):
                due = is_due(access.space)
            if due:
                self._compress(CompressionRun.Trigger.SESSION_END)
                self._note("clean_up")

    def _pass_until(self, until: datetime) -> None:
        """Let the clock do what it does meanwhile."""
        if until <= self.now:
            return
        if self.is_company:
            while self.now + timedelta(days=1) < until:
                self.now += timedelta(days=1)
                if compress_company(self.access.space, now=self.now) is not None:
                    self._note("clean_up")
        else:
            for _ in range(MOST_SLEEPS):
                due = Space.objects.values_list("next_sleep_at", flat=True).get(pk=self.access.space)
                if due is None or due > until:
                    break
                self._sleep(max(due, self.now))
            expire_short_term(now=until)
        self.now = until
        self._note("time")

    def _sleep(self, at: datetime) -> None:
        self.now = at
        # A model that gave nothing usable is asked again, and the last try does without.
        runs = sleep_through(self.access.space, key=self.access.key, now=at)
        if runs and runs[-1].error:
            raise CouldNotLive(f"{self.scenario.name}: a sleep failed: {runs[-1].error}")
        self._note("sleep")

    def _clean_up(self) -> None:
        if self.is_company:
            compress_company(self.access.space, now=self.now, trigger=CompanyCompression.Trigger.MONTHLY)
        else:
            self._compress(CompressionRun.Trigger.REQUESTED)
        self._note("clean_up")

    def _compress(self, trigger: str) -> None:
        access = self.access
        run = begin_run(access.space, trigger=trigger, now=self.now)
        done = compress(access.space, run.pk, key=access.key, now=self.now)
        if done.state != "done":
            raise CouldNotLive(f"{self.scenario.name}: a clean-up has {done.state}")

    # --- what is there ----------------------------------------------------------------------------------------------

    def _note(self, after: str) -> None:
        texts = tuple(plain(text) for text in self.read_memory())
        if not self.kept or self.kept[-1].texts != texts:
            self.kept.append(Kept(after, texts))

    def read_memory(self) -> list[str]:
        """Return every text that the memory holds now: facts, the ledger, goals and gratitude."""
        access, space = self.access, self.access.space
        with space_scope(space), unlocked(space, access.key):
            if self.is_company:
                facts = CompanyFact.objects.for_space(space).active(self.now)
                return list(facts.order_by("id").values_list("content", flat=True))
            nodes = MemoryNode.objects.for_space(space).active().unexpired(self.now).order_by("id")
            entries = [entry for entry in list_entries(space) if entry.is_live(self.now)]
            goals, thanks = list_goals(space), list_notes(space, GRATITUDE, most=1_000)
            return [
                *(node.content or "" for node in nodes),
                *(entry.content for entry in entries),
                *(goal.text for goal in goals),
                *(one.text for one in thanks),
            ]

    def junk_kept(self) -> list[str]:
        """Return the pieces of junk that something in the memory has become of."""
        texts, spans = self.read_memory(), self._spans()
        return [
            junk
            for junk in self.scenario.junk
            if any(is_made_of(text, junk) for text in texts)
            or any(_covers(self.message_of[message], start, end, junk) for message, start, end in spans)
        ]

    def _spans(self) -> list[tuple[UUID, int, int]]:
        """Return the parts of messages that a memory has as its evidence."""
        space = self.access.space
        if self.is_company:
            return []
        with space_scope(space):
            nodes = MemoryNode.objects.for_space(space).active().unexpired(self.now)
            rows = MemorySource.objects.for_space(space).filter(node__in=nodes)
            found = rows.values_list("source_id", "start", "end")
            return [row for row in found if row[0] in self.message_of]

    def ask(self, text: str, *, at: datetime) -> Request:
        """Return what a message brings into the request and what is answered; nothing of it stays."""
        self.now = at
        return ask(self.access, text, at=at, runner=self.runner)


def converse(
    access: ChatAccess, said: Iterable[tuple[str, datetime]], *, runner: asyncio.Runner
) -> Iterator[Exchange]:
    """Say things one after the other in one conversation, and have the whole reply to each; yield each exchange.

    Raises:
        CouldNotLive: a reply did not come to its end.
    """
    conversation = None
    for text, at in said:
        conversation = conversation or begin_conversation(access, now=at).pk
        exchange, turn = _begin(access, conversation, text, at)
        runner.run(turn.run())
        if turn.ended != Message.State.COMPLETE:
            raise CouldNotLive(f"the reply to {text[:40]!r} has {turn.ended}")
        yield exchange


def _begin(access: ChatAccess, conversation: UUID, text: str, at: datetime) -> tuple[Exchange, Turn]:
    exchange = say(access, conversation, text=text, client_id=uuid4(), now=at)
    return exchange, Turn(exchange, access=access, now=at)


def read_reply(access: ChatAccess, exchange: Exchange) -> tuple[str, str]:
    """Return a reply as the person reads it, and its level of personalisation."""
    with space_scope(access.space):
        reply = Message.objects.for_space(access.space).get(pk=exchange.reply.pk)
    return read_text(access, reply), reply.personalisation


def ask(access: ChatAccess, text: str, *, at: datetime, runner: asyncio.Runner) -> Request:
    """Return what a message in a conversation of its own brings into the request and what is answered; nothing of it stays."""
    conversation, gateway = begin_conversation(access, now=at), get_gateway()
    exchange, turn = _begin(access, conversation.pk, text, at)
    try:
        side = turn.side
        composed = runner.run(side.compose())
        recalled, ranked = _called_to_mind(side, exchange.text, at)
        shown, _ = runner.run(_reply(Gateway([], offline=OfflineCompanion()), composed))
        by_model = ""
        if gateway.providers:
            said, provider = runner.run(_reply(gateway, composed))
            by_model = said if provider != OfflineCompanion.name else ""
    finally:
        _forget(access, conversation)
    return Request(composed=composed, recalled=recalled, ranked=ranked, shown=shown, by_model=by_model)


def _called_to_mind(side: Side, text: str, at: datetime) -> tuple[list[str], list[str]]:
    """Return the texts that were called to mind, and those that the ranking alone puts first; of a student."""
    if not isinstance(side, StudentSide) or side.minded is None:
        return [], []
    access, called = side.asked.access, side.minded.called
    working_set = open_memory(access)
    (vector,) = get_embedder().embed([text])
    ranking = rank_memories(
        working_set, text, vector=np.asarray(vector), now=at, own_name=access.person.display_name
    )
    ranked = [working_set.nodes[row].text or "" for row in ranking.order[:NEAR]]
    recalled = [memory.text for memory in called.recalled]
    return [*recalled, *(entry.content for entry in called.entries)], ranked


def _forget(access: ChatAccess, conversation: Conversation) -> None:
    """Remove a conversation, so that the next question finds the memory as this one did."""
    space = access.space
    with space_scope(space):
        said = Message.objects.for_space(space).filter(conversation=conversation)
        said.filter(role=Message.Role.COMPANION).delete()
        said.delete()
        Conversation.objects.for_space(space).filter(pk=conversation.pk).delete()


@contextmanager
def living(scenario: Scenario, *, logs_out: bool = False) -> Iterator[Life]:
    """Yield a scenario that has been lived and can be asked."""
    with asyncio.Runner() as runner:
        life = Life(scenario, runner, logs_out=logs_out)
        try:
            life.live()
            yield life
        finally:
            runner.run(get_gateway().aclose())


def _enter_all(scenario: Scenario, *, now: datetime) -> dict[str, ChatAccess]:
    """Make whoever writes, by the names that the file gives them."""
    language = "sv" if scenario.language == "sv" else "en"
    if scenario.side == "student":
        company, names = None, {"": scenario.who.split(",")[0]}
    else:
        company = create_company(scenario.who[:100], now=now)
        names = {one.by: (one.by or scenario.name).title() for one in scenario.sittings}
    return {
        by: enter_person(
            f"lives-{new_id().hex}", now=now, display_name=name, language=language, company=company
        )
        for by, name in names.items()
    }


async def _reply(gateway: Gateway, composed: Composed) -> tuple[str, str]:
    """Return a whole reply as it is shown, and who gave it."""
    guard = StreamGuard(composed.fog, language=composed.request.language)
    async with gateway.stream(composed.request, role="chat", purpose="chat.reply") as reply:
        pieces = [guard.feed(piece) async for piece in reply]
        return "".join([*pieces, guard.finish()]), reply.provider


def _covers(message: str, start: int, end: int, junk: str) -> bool:
    """Tell whether a part of a message holds most of a piece of junk."""
    begins = message.find(junk)
    if begins < 0:
        return False
    common = min(end, begins + len(junk)) - max(start, begins)
    return common >= COVERED * len(junk)
