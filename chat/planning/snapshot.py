"""What is at hand for one reply, before and after it was chosen from. Plain data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from chat.planning.kinds import TrustLevel

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


class Loop(Protocol):
    """Something still open (`memory.student.life.facts`): an appointment, a medicine, a promise."""

    @property
    def id(self) -> UUID: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def priority(self) -> str: ...
    @property
    def due(self) -> datetime | None: ...
    @property
    def is_all_day(self) -> bool: ...
    @property
    def is_past(self) -> bool: ...


class PortraitLike(Protocol):
    """Who somebody is, in their own words, by what it is about."""

    @property
    def family(self) -> Sequence[str]: ...
    @property
    def routines(self) -> Sequence[str]: ...
    @property
    def health(self) -> Sequence[str]: ...
    @property
    def preferences(self) -> Sequence[str]: ...


@dataclass(frozen=True, kw_only=True)
class NoPortrait:
    """Nothing is known of who somebody is."""

    family: tuple[str, ...] = ()
    routines: tuple[str, ...] = ()
    health: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GoodMoment:
    """Something good, in the person's own words, and when it was."""

    text: str = field(repr=False)
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Relationship:
    trust_level: TrustLevel = "new"
    last_positive_moment: GoodMoment | None = None


@dataclass(frozen=True, kw_only=True)
class SelectedMemories:
    """What goes into the request, the first first."""

    facts: tuple[Candidate, ...] = ()
    goals: tuple[Candidate, ...] = ()
    gratitude: tuple[Candidate, ...] = ()

    def __iter__(self) -> Iterator[Candidate]:
        yield from (*self.facts, *self.goals, *self.gratitude)


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
        health_snapshot: what is known of their health, in their own words.
        today: measures of the day by name.
        notes: what the coach is told beside the memories, line by line (`chat.context` writes them out).
        context_for_planner: the same in kinds, numbers and days; short, to decide by.
        reasons: why each chosen thing was chosen, by id.
        dropped: how much was left out, by reason: avoided, emotion, mode, room.
        near_goal: the message is about a goal that they pursue.
    """

    current_mood: str = ""
    health_snapshot: tuple[str, ...] = field(default=(), repr=False)
    today: Mapping[str, float] = field(default_factory=dict)
    open_loops: tuple[Loop, ...] = field(default=(), repr=False)
    relationship: Relationship = field(default_factory=Relationship)
    selected_memories: SelectedMemories = field(default_factory=SelectedMemories)
    notes: tuple[Note, ...] = field(default=(), repr=False)
    context_for_planner: str = ""
    reasons: Mapping[UUID, str] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    near_goal: bool = False
