"""The steps that read how a person lives and wants to be spoken with: rows opened here, plain data out.

With memory off neither runs.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Min, Q
from django.utils import timezone

from chat.access import ChatAccess
from chat.models import Message
from chat.planning.kinds import Mode, as_mode
from chat.planning.snapshot import GoodMoment
from chat.planning.trust import Talked
from companion_site.days import start_of_today
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.life.facts.loops import OpenLoop, open_loops
from memory.life.facts.portrait import Portrait, portrait
from memory.life.feelings import MoodTrend
from memory.life.goals import ShownGoal, list_goals
from memory.life.gratitude import ShownGratitude, list_gratitude
from memory.life.metrics import Numbers, measures_of
from memory.life.moods import mood_trend
from memory.life.wishes import PersonWishes, read_wishes
from memory.models import Goal, Mood

#: of each at the most, the latest first
GOALS, GRATITUDE, TOLD_MOODS, REPLIES = 12, 20, 5, 20
#: a told mood so good is a good moment
GOOD = 0.3


@dataclass(frozen=True, kw_only=True)
class LifeInput:
    access: ChatAccess
    message: Message
    now: datetime


@dataclass(frozen=True, kw_only=True)
class Before:
    """What earlier replies were for: the mode of the last one here, and what was brought up today or here."""

    mode: Mode | None = None
    reminded: Collection[UUID] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Life:
    """What is known of a person's life, as rows tell it."""

    goals: Sequence[ShownGoal] = ()
    gratitude: Sequence[ShownGratitude] = ()
    open_loops: Sequence[OpenLoop] = ()
    portrait: Portrait = field(default_factory=Portrait)
    trend: MoodTrend = field(default_factory=MoodTrend)
    today: Numbers = field(default_factory=dict)
    talked: Talked = field(default_factory=Talked)
    before: Before = field(default_factory=Before)
    last_positive: GoodMoment | None = None

    @property
    def last_gratitude(self) -> datetime | None:
        return self.gratitude[0].at if self.gratitude else None

    @property
    def texts(self) -> list[str]:
        """Every text in it that could go into a request."""
        parts = self.portrait
        moment = [self.last_positive.text] if self.last_positive is not None else []
        return [
            *(goal.text for goal in self.goals),
            *(goal.notes[0].text for goal in self.goals if goal.notes),
            *(one.text for one in self.gratitude),
            *(loop.text for loop in self.open_loops),
            *(*parts.family, *parts.routines, *parts.health, *parts.preferences),
            *moment,
        ]


def wishes_step(given: LifeInput) -> PersonWishes:
    """Return how the person wants to be spoken with."""
    with unlocked(given.access.space, given.access.key):
        return read_wishes(given.access.space)


def life_step(given: LifeInput) -> Life:
    """Return what the rows of the person's life say at this moment, read together."""
    space, now = given.access.space, given.now
    local = timezone.localtime(now)
    with space_scope(space, reading=True), unlocked(space, given.access.key):
        gratitude = list_gratitude(space, most=GRATITUDE)
        return Life(
            goals=list_goals(space, states=[Goal.State.ACTIVE], most=GOALS, notes_each=1),
            gratitude=gratitude,
            open_loops=open_loops(space, now=now),
            portrait=portrait(space, now),
            trend=mood_trend(space, now),
            today=measures_of(space, local.date()),
            talked=_read_talked(space),
            before=_read_before(given, since=start_of_today(now)),
            last_positive=_last_positive(space, gratitude, now),
        )


def _read_talked(space: UUID) -> Talked:
    said = Message.objects.for_space(space).filter(role=Message.Role.PERSON).order_by()
    found = said.aggregate(since=Min("said_at"), messages=Count("pk"))
    return Talked(since=found["since"], messages=found["messages"])


def _read_before(given: LifeInput, *, since: datetime) -> Before:
    """Return what the replies of today and of this conversation were for."""
    message = given.message
    here = Q(conversation_id=message.conversation_id, position__lt=message.position)
    rows = (
        Message.objects.for_space(given.access.space)
        .filter(here | Q(said_at__gte=since), role=Message.Role.COMPANION, outcome__isnull=False)
        .exclude(parent=message)
        .only("space_id", "conversation_id", "outcome")
        .order_by("-said_at", "-position")[:REPLIES]
    )
    plans = [(row.conversation_id, (row.outcome or {}).get("plan") or {}) for row in rows]
    modes = [
        as_mode(plan.get("mode")) for conversation, plan in plans if conversation == message.conversation_id
    ]
    reminded = {UUID(plan["reminds_of"]) for _, plan in plans if plan.get("reminds_of")}
    return Before(mode=modes[0] if modes else None, reminded=frozenset(reminded))


def _last_positive(space: UUID, gratitude: Sequence[ShownGratitude], now: datetime) -> GoodMoment | None:
    """Return the last good moment that has words: what they were grateful for, or a good mood with a note."""
    moments = [GoodMoment(text=one.text, at=one.at) for one in gratitude[:1]]
    rows = Mood.objects.for_space(space).filter(origin=Mood.Origin.TOLD, at__lte=now).order_by("-at", "-id")
    for row in rows[:TOLD_MOODS]:
        if row.state["valence"] >= GOOD and row.state.get("note"):
            moments.append(GoodMoment(text=row.state["note"], at=row.at))
            break
    return max(moments, key=lambda moment: moment.at, default=None)
