"""Which facts and deadlines call for a suggestion, and which of them first: pure functions of plain data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from uuid import UUID

from memory.company.params import COMPANY, CompanyParams
from memory.company.suggestions.follow_ups import FollowUp, follow_up_of, settles
from memory.company.suggestions.topics import asks_for_reminders, find_telling_words, find_topics

#: shown at a time
MOST_SHOWN = 3
#: A decision older than this has been seen to, or never will be.
FOLLOW_UP_UNTIL = timedelta(days=90)
#: Open items that never expire wait behind whatever has a day.
_NO_HURRY_DAYS = 365.0
#: What a deadline is best put together with, where several facts fit it.
_RELATING = ("decision", "preference", "knowledge")


@dataclass(frozen=True, kw_only=True)
class FactSeen:
    """A fact that is believed now.

    Attributes:
        said_at: when it was said.
        confirmed_at: when it last came up.
    """

    id: UUID
    category: str
    content: str
    said_at: datetime
    confirmed_at: datetime
    expires_at: datetime | None = None

    @property
    def last_at(self) -> datetime:
        return max(self.said_at, self.confirmed_at)

    @cached_property
    def topics(self) -> frozenset[str]:
        return find_topics(self.content)

    @cached_property
    def telling_words(self) -> frozenset[str]:
        return find_telling_words(self.content)


@dataclass(frozen=True, kw_only=True)
class DeadlineSeen:
    """A day that is near, of something that is not done."""

    id: UUID
    label: str
    due_on: date


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """What may be suggested.

    Attributes:
        kind: a kind of `Suggestion`.
        hurry_days: in how many days it is too late; the smaller, the more urgent.
    """

    kind: str
    fact: FactSeen
    hurry_days: float
    deadline: DeadlineSeen | None = None
    follow_up: FollowUp | None = None


def find_candidates(
    facts: Sequence[FactSeen],
    deadlines: Sequence[DeadlineSeen],
    *,
    now: datetime,
    today: date,
    params: CompanyParams = COMPANY,
) -> list[Candidate]:
    """Return everything that may be suggested, the most urgent first."""
    near = [*find_near_deadlines(facts, deadlines, today=today, params=params)]
    taken = {candidate.fact.id for candidate in near}
    others = [*find_open_items(facts, now=now, params=params), *find_follow_ups(facts, now=now)]
    found = near + [candidate for candidate in others if candidate.fact.id not in taken]
    return sorted(found, key=lambda candidate: (candidate.hurry_days, str(candidate.fact.id)))


def find_open_items(
    facts: Iterable[FactSeen], *, now: datetime, params: CompanyParams = COMPANY
) -> list[Candidate]:
    """Return the open items that nobody has brought up for so many days."""
    return [
        Candidate(kind="open_item", fact=fact, hurry_days=_days_left(fact, now))
        for fact in facts
        if fact.category == "unresolved" and now - fact.last_at > params.open_item_after
    ]


def find_follow_ups(facts: Sequence[FactSeen], *, now: datetime) -> list[Candidate]:
    """Return what decisions call for and nobody has seen to; of several of one kind the last decides."""
    last: dict[str, Candidate] = {}
    for fact in sorted(facts, key=lambda fact: fact.said_at):
        kind = follow_up_of(fact.content) if fact.category == "decision" else None
        if kind is not None and now - fact.said_at <= FOLLOW_UP_UNTIL:
            age_days = (now - fact.said_at) / timedelta(days=1)
            hurry = max(abs(kind.within_days - age_days), 1.0)  # most urgent about its time, fading after it
            last[kind.key] = Candidate(kind="follow_up", fact=fact, hurry_days=hurry, follow_up=kind)
    return [candidate for candidate in last.values() if not _is_settled(candidate, facts)]


def find_near_deadlines(
    facts: Sequence[FactSeen],
    deadlines: Sequence[DeadlineSeen],
    *,
    today: date,
    params: CompanyParams = COMPANY,
) -> list[Candidate]:
    """Return the deadlines of the next days that something believed has to do with, each with the best such fact."""
    found = []
    for deadline in deadlines:
        days = (deadline.due_on - today).days
        fact = find_related(deadline, facts) if 0 <= days <= params.deadline_within.days else None
        if fact is not None:
            found.append(Candidate(kind="deadline", fact=fact, deadline=deadline, hurry_days=float(days)))
    return found


def find_related(deadline: DeadlineSeen, facts: Iterable[FactSeen]) -> FactSeen | None:
    """Return the fact that a deadline is best put together with: a decision first, then the last said."""
    topics, telling = find_topics(deadline.label), find_telling_words(deadline.label)
    fitting = [
        fact
        for fact in facts
        if fact.category in _RELATING and (topics & fact.topics or telling & fact.telling_words)
    ]
    reminding = (f for f in facts if f.category == "preference" and asks_for_reminders(f.content))
    return min(fitting or reminding, key=_preference, default=None)


def _preference(fact: FactSeen) -> tuple[int, float, str]:
    return _RELATING.index(fact.category), -fact.said_at.timestamp(), str(fact.id)


def _is_settled(candidate: Candidate, facts: Iterable[FactSeen]) -> bool:
    kind, decision = candidate.follow_up, candidate.fact
    return kind is not None and any(
        settles(kind, fact.content)
        for fact in facts
        if fact.category in ("decision", "knowledge")
        and fact.said_at >= decision.said_at
        and fact.id != decision.id
    )


def _days_left(fact: FactSeen, now: datetime) -> float:
    if fact.expires_at is None:
        return _NO_HURRY_DAYS
    return (fact.expires_at - now) / timedelta(days=1)
