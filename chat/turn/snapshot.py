"""What is at hand for one reply, before and after it was chosen from: plain data in closed words, and what it asks of a reply. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, get_args
from uuid import UUID

from memory.reading.params import READING
from memory.student.life.facts.loops import OpenLoop
from memory.student.life.feelings import LOW, EmotionState, MoodTrend

Mode = Literal["answer", "support", "coach", "gratitude", "game", "reminder", "small_talk"]
Goal = Literal[
    "inform",
    "reflect",
    "validate_feelings",
    "clarify_goal",
    "suggest_tiny_step",
    "celebrate",
    "ask_gratitude",
]
TrustLevel = Literal["new", "growing", "trusted"]
ToneName = Literal[
    "warm_empathic",
    "calm_soothing",
    "supportive_caring",
    "coach_grounded",
    "reflective_thoughtful",
    "cheerful_light",
    "playful_energetic",
    "serious_direct",
]
MODES: tuple[Mode, ...] = get_args(Mode)
GOALS: tuple[Goal, ...] = get_args(Goal)
TONES: tuple[ToneName, ...] = get_args(ToneName)


CandidateKind = Literal["fact", "goal", "gratitude"]


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One memory, goal or thing to be grateful for.

    Attributes:
        relevance: 0 to 1, to this message.
        lifts: it may carry somebody who is low: something good, somebody close, what helped before.
        at: when it was said, or last touched.
        last_word: of a goal, how it went the last time it was told.
    """

    id: UUID
    kind: CandidateKind
    text: str = field(repr=False)
    relevance: float = 0.0
    lifts: bool = False
    at: datetime | None = None
    last_word: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class GoodMoment:
    """Something good, in the person's own words, and when it was."""

    text: str = field(repr=False)
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Note:
    """One line of what is known of a person's life now: our words, and theirs where `quote` is."""

    heading: str
    words: str = ""
    quote: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """What was chosen for one reply.

    Attributes:
        facts, goals, gratitude: what goes into the request, the first first.
        today: measures of the day by name.
        trust: how far the two have come; last_positive: their last good moment.
        notes: what the coach is told beside the memories, line by line (`chat.turn.context` writes them out).
        context_for_planner: the same in kinds, numbers and days; short, to decide by.
        reasons: why each chosen thing was chosen, by id.
        dropped: how much was left out, by reason: avoided, emotion, mode, room.
        near_goal: the message is about a goal that they pursue.
    """

    today: Mapping[str, float] = field(default_factory=dict)
    open_loops: tuple[OpenLoop, ...] = field(default=(), repr=False)
    trust: TrustLevel = "new"
    last_positive: GoodMoment | None = None
    facts: tuple[Candidate, ...] = ()
    goals: tuple[Candidate, ...] = ()
    gratitude: tuple[Candidate, ...] = ()
    notes: tuple[Note, ...] = field(default=(), repr=False)
    context_for_planner: str = ""
    reasons: Mapping[UUID, str] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    near_goal: bool = False

    @property
    def chosen(self) -> tuple[Candidate, ...]:
        return (*self.facts, *self.goals, *self.gratitude)


PRIORITIES = {"high": 0, "medium": 1, "low": 2}
#: how early something open comes up before it is due
AHEAD = timedelta(days=7)
#: so near, what is open is worth a reminder
DUE_SOON = timedelta(hours=24)
#: so many days ahead, today counted as none, what is open is known whatever is spoken of
NEAR_DAYS = 2


def order_loops(loops: Iterable[OpenLoop], *, now: datetime) -> list[OpenLoop]:
    """Return what is open and comes up soon: the most important first, then what is due first."""
    latest = now + AHEAD
    near = [loop for loop in loops if loop.due is None or loop.due <= latest]
    return sorted(near, key=lambda loop: (PRIORITIES.get(loop.priority, 3), loop.due or latest))


def is_soon(loop: OpenLoop, *, now: datetime) -> bool:
    """Tell whether something is due within a day."""
    return loop.due is not None and loop.due <= now + DUE_SOON and not loop.is_past


def is_near(loop: OpenLoop, *, now: datetime) -> bool:
    """Tell whether something is due today or within two days; `now` is local."""
    if loop.due is None or loop.is_past:
        return False
    return (loop.due.astimezone(now.tzinfo).date() - now.date()).days <= NEAR_DAYS


def cannot_wait(loop: OpenLoop, *, now: datetime) -> bool:
    """Tell whether something is brought before somebody even on a bad day."""
    return loop.priority == "high" or is_soon(loop, now=now)


#: Less sure than that a reading decides nothing.
SURE = READING.feeling
BRIGHT = frozenset({"joy", "calm"})


def is_down(emotion: EmotionState) -> bool:
    """Tell whether somebody is sad, lonely or anxious, be it a little."""
    return emotion.primary_emotion in LOW and emotion.confidence >= SURE


def is_low(emotion: EmotionState) -> bool:
    """Tell whether somebody is sad, lonely or anxious, and more than a little."""
    return is_down(emotion) and emotion.intensity != "low"


def is_bright(emotion: EmotionState) -> bool:
    """Tell whether somebody is glad or calm."""
    return emotion.primary_emotion in BRIGHT and emotion.confidence >= SURE


def is_glad(emotion: EmotionState) -> bool:
    """Tell whether somebody is glad, and more than a little."""
    return is_bright(emotion) and emotion.primary_emotion == "joy" and emotion.intensity != "low"


def needs_support(emotion: EmotionState, trend: MoodTrend) -> bool:
    """Tell whether what lifts matters more now than what informs: low now, or lower day by day and not bright."""
    return is_low(emotion) or (trend.is_declining and not is_bright(emotion))


#: Days since the first message, and messages of the person: below either of the first they have just met.
GROWING_DAYS, GROWING_MESSAGES = 3, 20
TRUSTED_DAYS, TRUSTED_MESSAGES = 30, 150


@dataclass(frozen=True, kw_only=True)
class Talked:
    """How much a person has said, since when."""

    since: datetime | None = None
    messages: int = 0


def trust_level(talked: Talked, *, now: datetime) -> TrustLevel:
    """Return how far the two have come: both time and talk are needed."""
    if talked.since is None:
        return "new"
    days = (now - talked.since).days
    if days >= TRUSTED_DAYS and talked.messages >= TRUSTED_MESSAGES:
        return "trusted"
    return "growing" if days >= GROWING_DAYS and talked.messages >= GROWING_MESSAGES else "new"
