"""The steps that read how a person lives, wants to be spoken with and last talked: rows opened here, plain data out.

With memory off neither runs.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from uuid import UUID

from django.db.models import Count, Min, Q
from django.utils import timezone

from chat.access import ChatAccess
from chat.models import Conversation, Message
from chat.querysets import MessageQuerySet
from chat.said import NEUTRAL_TITLES
from chat.summaries.points import read_points
from chat.turn.brief import LastTalk
from chat.turn.snapshot import MODES, GoodMoment, Mode, Talked, is_near
from companion_site.days import start_of_today
from companion_site.shortening import shorten
from companion_site.vault import unlocked
from companion_site.vault.columns import opener
from companion_site.vault.scope import space_scope
from memory.models import Goal, LifeFact
from memory.student.life.facts.loops import OpenLoop, Portrait, loops_and_portrait
from memory.student.life.feelings import MoodTrend
from memory.student.life.goals import ShownGoal, list_goals
from memory.student.life.journals import ShownNote, list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.metrics import Numbers, measures_of
from memory.student.life.moods import ShownMood, begin_of_trend, last_told, recent_moods, trend_of
from memory.student.life.wishes import PersonWishes, read_wishes
from memory.student.recall.history import find_replaced

#: Of the title of the last conversation.
MOST_CHARS = 40
#: Of the conversations that were changed last, so many are looked at for what was said last.
LOOKED_AT = 5


def find_last_talk(access: ChatAccess, message: Message) -> LastTalk | None:
    """Return when the person last talked in another conversation with memory, and of what. In the space's scope, unlocked.

    Of one in which danger was spoken of nothing is told but the day, and nothing of what was said while memory was off.
    """
    space = access.space
    others = (
        access.conversations.with_memory()
        .filter(brought_by__isnull=True)
        .exclude(pk=message.conversation_id)
        .order_by("-updated_at", "-id")
        .values_list("pk", flat=True)[:LOOKED_AT]
    )
    said_there = (
        Message.objects.for_space(space)
        .said_by_person()
        .filter(conversation_id__in=list(others), said_at__lte=message.said_at)
    )
    last = said_there.order_by("-said_at", "-id").values_list("conversation_id", "said_at").first()
    if last is None:
        return None
    conversation, at = last
    said = Message.objects.for_space(space).filter(conversation_id=conversation)
    about = "" if said.of_danger().exists() else _read_about(access, conversation, said)
    return LastTalk(at=at, about="" if about in NEUTRAL_TITLES.values() else shorten(about, MOST_CHARS))


def _read_about(access: ChatAccess, conversation: UUID, said: MessageQuerySet) -> str:
    """Return the last point of a conversation's summary, or its title where it has none; "" where that is not to be told."""
    rows = Conversation.objects.for_space(access.space).filter(pk=conversation)
    row = rows.values_list("title", "summary", named=True).get()
    if row.summary is not None:
        points = read_points(opener(access.space, Conversation, "summary")(conversation, row.summary))
        return points[-1].text if points else ""
    first = said.said_by_person().order_by("position").values_list("pk", flat=True).first()
    if row.title is None or not said.may_be_kept().filter(pk=first).exists():
        return ""
    return opener(access.space, Conversation, "title")(conversation, row.title)


#: of each at the most, the latest first
GOALS, THANKS, TOLD_MOODS, REPLIES = 12, 20, 5, 20
#: a told mood so good is a good moment
GOOD = 0.3


@dataclass(frozen=True, kw_only=True)
class Before:
    """What earlier replies were for: the mode of the last one here, and what is open and was brought up today or here."""

    mode: Mode | None = None
    reminded: Collection[UUID] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Life:
    """What is known of a person's life, as rows tell it."""

    goals: Sequence[ShownGoal] = ()
    gratitude: Sequence[ShownNote] = ()
    open_loops: Sequence[OpenLoop] = ()
    portrait: Portrait = field(default_factory=Portrait)
    trend: MoodTrend = field(default_factory=MoodTrend)
    today: Numbers = field(default_factory=dict)
    talked: Talked = field(default_factory=Talked)
    before: Before = field(default_factory=Before)
    last_positive: GoodMoment | None = None
    last_talk: LastTalk | None = None
    #: of what is due soon, what was noted of it before it was corrected
    corrected: Mapping[UUID, tuple[str, ...]] = field(default_factory=dict)

    @property
    def last_gratitude(self) -> datetime | None:
        return self.gratitude[0].at if self.gratitude else None

    @property
    def texts(self) -> list[str]:
        """Every text in it that could go into a request."""
        parts = self.portrait
        moment = [self.last_positive.text] if self.last_positive is not None else []
        talk = [self.last_talk.about] if self.last_talk is not None and self.last_talk.about else []
        return [
            *(goal.text for goal in self.goals),
            *(goal.notes[0].text for goal in self.goals if goal.notes),
            *(one.text for one in self.gratitude),
            *(loop.text for loop in self.open_loops),
            *(*parts.family, *parts.routines, *parts.health, *parts.preferences),
            *moment,
            *talk,
            *(text for texts in self.corrected.values() for text in texts),
        ]


def wishes_step(access: ChatAccess) -> PersonWishes:
    """Return how the person wants to be spoken with."""
    with access.open():
        return read_wishes(access.space)


def life_step(access: ChatAccess, message: Message, *, now: datetime) -> Life:
    """Return what the rows of the person's life say at this moment, read together."""
    space, local = access.space, timezone.localtime(now)
    with space_scope(space, reading=True), unlocked(space, access.key):
        gratitude = list_notes(space, GRATITUDE, most=THANKS)
        goals = list_goals(space, states=[Goal.State.ACTIVE], most=GOALS, notes_each=1)
        are_all = len(goals) < GOALS
        loops, portrait = loops_and_portrait(space, now=now, pursued=goals if are_all else None)
        moods = recent_moods(space, now)
        return Life(
            goals=goals,
            gratitude=gratitude,
            open_loops=loops,
            portrait=portrait,
            trend=trend_of(moods),
            today=measures_of(space, local.date()),
            talked=_read_talked(space),
            before=_read_before(message, since=start_of_today(now), open_ids={loop.id for loop in loops}),
            last_positive=_last_positive(space, gratitude, moods, now),
            last_talk=find_last_talk(access, message),
            corrected=_read_corrected(space, [loop.id for loop in loops if is_near(loop, now=local)]),
        )


def _read_corrected(space: UUID, facts: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    """Return what was noted of facts before, by fact, the last first."""
    if not facts:
        return {}
    rows = LifeFact.objects.for_space(space).filter(pk__in=facts)
    node_of = dict(rows.values_list("pk", "node_id"))
    before: dict[UUID, tuple[str, ...]] = {}
    for one in find_replaced(space, set(node_of.values())):
        before[one.by] = (*before.get(one.by, ()), one.memory.text or "")
    return {fact: before[node] for fact, node in node_of.items() if node in before}


def _read_talked(space: UUID) -> Talked:
    said = Message.objects.for_space(space).filter(role=Message.Role.PERSON).order_by()
    found = said.aggregate(since=Min("said_at"), messages=Count("pk"))
    return Talked(since=found["since"], messages=found["messages"])


def _read_before(message: Message, *, since: datetime, open_ids: Collection[UUID]) -> Before:
    """Return what the replies of today and of this conversation were for; none is opened that tells nothing more.

    Args:
        open_ids: what a reply may bring up.
    """
    space = message.space_id
    here = Q(conversation_id=message.conversation_id, position__lt=message.position)
    rows = (
        Message.objects.for_space(space)
        .current()
        .filter(here | Q(said_at__gte=since), role=Message.Role.COMPANION, outcome__isnull=False)
        .exclude(parent=message)
        .order_by("-said_at", "-position")
        .values_list("pk", "conversation_id", "outcome")[:REPLIES]
    )
    open_outcome = opener(space, Message, "outcome")
    modes: list[Mode | None] = []
    reminded: set[UUID] = set()
    for reply, conversation, box in rows:
        is_last_here = conversation == message.conversation_id and not modes
        if not is_last_here and reminded.issuperset(open_ids):
            continue
        plan = (open_outcome(reply, box) or {}).get("plan") or {}
        if is_last_here:
            modes.append(next((mode for mode in MODES if mode == plan.get("mode")), None))
        if plan.get("reminds_of"):
            reminded.add(UUID(plan["reminds_of"]))
    return Before(mode=modes[0] if modes else None, reminded=frozenset(reminded))


def _last_positive(
    space: UUID, gratitude: Sequence[ShownNote], moods: Sequence[ShownMood], now: datetime
) -> GoodMoment | None:
    """Return the last good moment that has words: what they were grateful for, or a good mood with a note.

    Args:
        moods: the last days', the oldest first; those before them are read where they could be of use.
    """

    def good(moods: Sequence[ShownMood]) -> list[GoodMoment]:
        best = (mood for mood in moods if mood.state.valence >= GOOD and mood.note)
        return [GoodMoment(text=mood.note, at=mood.at) for mood in islice(best, 1)]

    thanks = [GoodMoment(text=one.text, at=one.at) for one in gratitude[:1]]
    told = [mood for mood in reversed(moods) if mood.is_told][:TOLD_MOODS]
    since, found = begin_of_trend(now), good(told)
    is_beaten = bool(thanks) and thanks[0].at >= since
    if not found and not is_beaten and len(told) < TOLD_MOODS:
        found = good(last_told(space, before=since, most=TOLD_MOODS - len(told)))
    return max([*thanks, *found], key=lambda moment: moment.at, default=None)
