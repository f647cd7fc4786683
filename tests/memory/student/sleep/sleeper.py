"""A space that sleeps: things said to it, what sleep makes of them, and a look at what is stored."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partialmethod
from uuid import UUID

from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from memory.models import MemoryNode, SleepRun
from memory.student.sleep.insights import Consolidation, Insight
from memory.student.sleep.run import sleep, sleep_through
from memory.student.sleep.selectors import read_items
from memory.student.sleep.store import write_consolidation
from memory.student.sleep.timing import begin_run, plan_sleep
from tests.factories import NOW
from tests.memory.student.kept import Kept

NIGHT = NOW + timedelta(hours=4)
MOSES = ["My kitten is called Moses", "Moses sleeps on the radiator", "Moses is two years old"]
HANDBALL = ["I play handball on Tuesdays", "Our coach is called Berit", "We lost the last match 21 to 24"]


class Sleeper(Kept):
    """A space whose memory is made statement by statement, and slept over."""

    def plan(self, *, now: datetime = NOW) -> None:
        """Plan its sleep, as whoever takes something in does."""
        with write_scope(self.space):
            plan_sleep(self.space, now=now)

    def next_sleep_at(self) -> datetime | None:
        return Space.objects.get(pk=self.space).next_sleep_at

    def sleep(self, *, now: datetime = NIGHT, **options) -> SleepRun:
        """Carry out one run."""
        run = begin_run(self.space, trigger=SleepRun.Trigger.SCHEDULED, now=now)
        return sleep(self.space, run.pk, key=self.key, now=now, queue=False, **options)

    def sleep_through(self, *, now: datetime = NIGHT, **options) -> list[SleepRun]:
        return sleep_through(self.space, key=self.key, now=now, **options)

    def insight(self, members: Sequence[UUID], text: str, *, category: str = "background") -> Insight:
        """Return what members come to, by hand, with the vector of the first."""
        with space_scope(self.space), unlocked(self.space, self.key):
            reading = read_items(self.space, members, model=self.model, now=NIGHT)
        return Insight(
            category=category,
            text=text,
            language="en",
            confidence=0.8,
            members=tuple(members),
            vector=reading[members[0]].vector,
        )

    def write(
        self,
        insights: Sequence[Insight] = (),
        *,
        kept: Mapping[UUID, str] | None = None,
        let_go: Sequence[UUID] = (),
        left: Sequence[UUID] = (),
        now: datetime = NIGHT,
    ) -> SleepRun:
        """Write what was thought out by hand, as a run does; return that, ended."""
        done = Consolidation(insights=insights, kept=dict(kept or {}), let_go=let_go, left=left)
        ids = [*(pk for each in insights for pk in each.members), *done.kept, *let_go, *left]
        run = begin_run(self.space, trigger=SleepRun.Trigger.SCHEDULED, now=now)
        with write_scope(self.space), unlocked(self.space, self.key):
            reading = read_items(self.space, ids, model=self.model, now=now)
            run.processed = sum(one.node.tier == MemoryNode.Tier.SHORT_TERM for one in reading.values())
            write_consolidation(self.space, run, reading, done, model=self.model, now=now)
            run.state, run.finished_at = SleepRun.State.SUCCESS, now
            run.save()
        return run

    @property
    def model(self) -> str:
        return get_embedder().model

    restore = partialmethod(Kept.restore, now=NIGHT)

    def runs(self) -> list[SleepRun]:
        with space_scope(self.space):
            return list(SleepRun.objects.for_space(self.space).order_by("id"))


def merge(access: ChatAccess, nodes: Sequence[UUID]) -> MemoryNode:
    """Have several memories become the space's only insight, in their own words; return it."""
    sleeper = Sleeper(access)
    words = [row.content for row in sleeper.nodes(pk__in=nodes).values()]
    sleeper.write([sleeper.insight(nodes, " ".join(words))])
    (made,) = sleeper.nodes(trust="derived").values()
    return made
