"""Who somebody is, as far as their memories tell, and what is open in their life now, both by one reading of their facts.

Open is what they take today, what is to come or has just been, what they promised, and goals that rest.

Which occurrence of a fact is meant now is decided here. What comes again and again is done with for one time only, and the fact keeps
when that was; what is closed for good has `closed_at` (`resolution`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from operator import attrgetter
from typing import Literal
from uuid import UUID

from django.utils import timezone

from companion_site.days import moment_of, start_of
from companion_site.vault.scope import space_scope
from memory.models import Goal, LifeFact
from memory.student.life.facts.extraction import OPEN_KINDS
from memory.student.life.facts.selectors import Fact, find_newest, keep_newest, standing, word_facts, words_of
from memory.student.life.goals import ShownGoal

Priority = Literal["high", "medium", "low"]
_KIND = LifeFact.Kind
GOAL = "goal"
DAY = timedelta(days=1)
#: an appointment is looked forward to for so long, and asked about afterwards
AHEAD, AFTER = 7 * DAY, 2 * DAY
#: a promise is looked forward to, and not forgotten when its day is over
PROMISE_AHEAD, PROMISE_AFTER = 14 * DAY, 7 * DAY
#: what has no day is kept in mind for so long after it was said
UNDATED = {_KIND.APPOINTMENT: 14 * DAY, _KIND.PROMISE: 30 * DAY}
#: what is near counts more
NEAR = 2 * DAY
#: a time to take something is over so long afterwards, and may be done with so long before
GRACE, EARLY = timedelta(hours=2), timedelta(hours=3)
#: a goal that nobody touched for so long is open again
RESTING = 7 * DAY
MOST_GOALS, MOST_OF_KIND, MOST_LOOPS = 5, 60, 20
#: of each kind that can be open, how many facts are looked at
OPEN: Mapping[str, int] = dict.fromkeys(OPEN_KINDS, MOST_OF_KIND)
_RANK = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True, kw_only=True)
class OpenLoop:
    """One thing that is open.

    Attributes:
        id: of the fact, or of the goal where `kind` is "goal".
        text: the person's own words.
        due: when; of a whole day its beginning; None where no day was said.
        is_all_day: no time was said.
        is_past: it was due; of an appointment: how did it go?
    """

    id: UUID
    kind: str
    text: str
    priority: Priority
    due: datetime | None = None
    is_all_day: bool = False
    is_past: bool = False


def find_resting(space: UUID, *, now: datetime, pursued: Sequence[ShownGoal] | None = None) -> list[OpenLoop]:
    """Return goals that nobody touched for long, the longest first. Inside the space's scope.

    Args:
        pursued: every goal that is pursued, where they were read already.
    """
    bound = now - RESTING
    if pursued is None:
        rows = Goal.objects.for_space(space).filter(state=Goal.State.ACTIVE, updated_at__lte=bound)
        found = [(goal.pk, goal.text) for goal in rows.order_by("updated_at")[:MOST_GOALS]]
    else:
        rested = sorted((one for one in pursued if one.updated_at <= bound), key=lambda one: one.updated_at)
        found = [(goal.id, goal.text) for goal in rested[:MOST_GOALS]]
    return [OpenLoop(id=goal, kind=GOAL, text=text, priority="low") for goal, text in found]


def _find_open(fact: Fact, now: datetime) -> OpenLoop | None:
    """Return what of a fact is open, without words; `now` is local."""
    if fact.when.is_recurring:
        return _find_again(fact, now)
    if fact.kind == _KIND.MEDICATION:
        return _find_today(fact, now) if fact.when.on == now.date() else None
    return _find_once(fact, now)


def _find_again(fact: Fact, now: datetime) -> OpenLoop | None:
    """Return today's occurrence of what comes again; on which day of several weeks it falls, nobody said."""
    if fact.when.weekdays:
        is_today = now.weekday() in fact.when.weekdays and fact.when.every in (None, "week")
    else:
        is_today = fact.when.every == "day" or (fact.when.every or "").endswith("hours")
    return _find_today(fact, now) if is_today else None


def _find_today(fact: Fact, now: datetime) -> OpenLoop | None:
    """Return the first time of today that is neither over nor done with."""
    today = start_of(now.date())
    done = fact.done_at
    if not fact.when.at:
        is_open = done is None or done < today
        return _loop(fact, due=today, is_all_day=True, now=now) if is_open else None
    for moment in fact.when.at:
        due = moment_of(now.date(), moment)
        is_done = done is not None and done >= max(today, due - EARLY)
        if not is_done and due + GRACE >= now:
            return _loop(fact, due=due, is_all_day=False, now=now)
    return None


def _find_once(fact: Fact, now: datetime) -> OpenLoop | None:
    """Return an appointment or a promise, from some days before until some days after."""
    day = fact.when.on
    if day is None:
        is_fresh = now - fact.noted_at <= UNDATED[_KIND(fact.kind)]
        return OpenLoop(id=fact.id, kind=fact.kind, text=fact.text, priority="low") if is_fresh else None
    ahead, after = (AHEAD, AFTER) if fact.kind == _KIND.APPOINTMENT else (PROMISE_AHEAD, PROMISE_AFTER)
    if not now.date() - after <= day <= now.date() + ahead:
        return None
    due = moment_of(day, fact.when.at[0] if fact.when.at else time())
    return _loop(fact, due=due, is_all_day=not fact.when.at, now=now)


def _loop(fact: Fact, *, due: datetime, is_all_day: bool, now: datetime) -> OpenLoop:
    """Return what is due at a time; a medicine presses most, then what is near or over."""
    priority: Priority = "medium" if due - now <= NEAR else "low"
    is_past = due.date() < now.date() if is_all_day else due < now
    return OpenLoop(
        id=fact.id,
        kind=fact.kind,
        text=fact.text,
        priority="high" if fact.kind == _KIND.MEDICATION else priority,
        due=due,
        is_all_day=is_all_day,
        is_past=is_past,
    )


def _pressing(loop: OpenLoop) -> tuple[int, bool, float, str]:
    return _RANK[loop.priority], loop.due is None, loop.due.timestamp() if loop.due else 0.0, str(loop.id)


#: what each part is told by; what somebody takes belongs to how their health is
PARTS: dict[str, tuple[LifeFact.Kind, ...]] = {
    "family": (_KIND.FAMILY,),
    "routines": (_KIND.ROUTINE,),
    "health": (_KIND.HEALTH, _KIND.MEDICATION),
    "preferences": (_KIND.PREFERENCE,),
}
#: the longest a part may be, and how many facts of a kind are looked at for it
MOST, READ = 12, 18
#: of each kind that a portrait is made of, how many facts are looked at
PORTRAYED: Mapping[str, int] = {kind: READ for part in PARTS.values() for kind in part}
#: of each kind so many facts as either wants
WANTED = {**PORTRAYED, **OPEN}


@dataclass(frozen=True, kw_only=True)
class Portrait:
    """What is known of somebody, in their own words, the newest first."""

    family: tuple[str, ...] = ()
    routines: tuple[str, ...] = ()
    health: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()


def loops_and_portrait(
    space: UUID, *, now: datetime, pursued: Sequence[ShownGoal] | None = None
) -> tuple[list[OpenLoop], Portrait]:
    """Return what is open by `now`, the most pressing first, and who somebody is. The space is unlocked by the caller.

    Args:
        pursued: every goal that is pursued, where they were read already.
    """
    with space_scope(space):
        rows = standing(space).filter(closed_at__isnull=True, noted_at__lte=now)
        facts = find_newest(space, rows, WANTED)
        local = timezone.localtime(now)
        found = [_find_open(fact, local) for fact in facts if fact.kind in OPEN]
        first = sorted((loop for loop in found if loop is not None), key=_pressing)[:MOST_LOOPS]
        of_loop = {fact.id: fact for fact in facts}
        opened = [of_loop[loop.id] for loop in first]
        lasting = keep_newest(facts, PORTRAYED, kind_of=attrgetter("kind"))
        words = words_of(space, [*opened, *lasting])
        resting = find_resting(space, now=now, pursued=pursued)
    texts = {fact.id: fact.text for fact in word_facts(opened, words)}
    loops = [replace(loop, text=texts[loop.id]) for loop in first if loop.id in texts]
    worded = word_facts(lasting, words)
    portrait = Portrait(**{part: _tell(worded, part) for part in PARTS})
    return sorted([*loops, *resting], key=_pressing)[:MOST_LOOPS], portrait


def _tell(facts: Sequence[Fact], part: str) -> tuple[str, ...]:
    """Return the words of one part; a tablet that was to be taken on one day only says nothing of a life."""
    told = [fact for fact in facts if fact.kind in PARTS[part]]
    texts = [fact.text for fact in told if fact.kind != _KIND.MEDICATION or fact.when.on is None]
    return tuple(dict.fromkeys(texts))[:MOST]
