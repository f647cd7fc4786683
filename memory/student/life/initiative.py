"""When the companion may speak first: a greeting in the morning, a look back in the evening, a word after low days.

At most once a day unasked, which the row's own constraint decides however many tabs are open: what is shown first has the
day, answered or not, so that no look back follows a greeting. Never in quiet hours, never where the person does not want
it, never with memory off. Days and hours are local. The space is unlocked by the caller.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from uuid import UUID

from django.db import IntegrityError, models, transaction
from django.utils import timezone

from companion_site.audit.services import record_event
from companion_site.days import start_of_today
from companion_site.vault.scope import space_scope
from memory.models import Goal, Initiative
from memory.student.life.feelings import MoodTrend
from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.moods import ShownMood, mood_trend, moods_between
from memory.student.life.wishes import PersonWishes, read_wishes
from memory.student.sleep.timing import has_memory_on

Kind = Initiative.Kind


MORNING_FROM, MORNING_UNTIL, EVENING_FROM = time(5), time(11), time(17)
#: valence of a day at which it is a low one, and so many in a row, the last of them yesterday or today
LOW, LOW_DAYS = -0.3, 2
#: valence that a decline must have come below, so that a very good day and then good ones are none
DECLINED_BELOW = 0.0
#: days in a row on which most moods have little energy
TIRED_DAYS = 2


@dataclass(frozen=True, kw_only=True)
class Today:
    """What is known of a day when it is asked whether to speak first.

    Attributes:
        spoken: whether the person has said something today.
        has_content: whether there is something to look back on, by the evening.
        moods: of the last days.
    """

    at: datetime
    wishes: PersonWishes
    trend: MoodTrend = field(default_factory=MoodTrend)
    moods: Sequence[ShownMood] = ()
    spoken: bool = False
    has_content: bool = False

    @property
    def local(self) -> datetime:
        return timezone.localtime(self.at)


@dataclass(frozen=True, kw_only=True)
class DayInLife:
    """What of a day there is in somebody's life: goals that were touched, and what they were grateful for."""

    goals: tuple[str, ...] = ()
    gratitude: tuple[str, ...] = ()


def choose_kind(today: Today) -> Kind | None:
    """Return with what the companion may speak first now; None for nothing. How somebody is comes before the time of day."""
    at = today.local.time()
    if not today.wishes.initiative_on or today.wishes.is_quiet(at):
        return None
    if is_low(today) or is_tired(today):
        return Kind.AFTER_LOW
    # A greeting comes before anything was said, a look back where there is something.
    if _is_its_hour(Kind.MORNING, at) and not today.spoken:
        return Kind.MORNING
    return Kind.EVENING if _is_its_hour(Kind.EVENING, at) and today.has_content else None


def is_low(today: Today) -> bool:
    """Tell whether the last days went down, or were low, up to yesterday or today."""
    days = today.trend.days
    if not days or today.local.date() - days[-1].day > timedelta(days=1):
        return False
    last = days[-LOW_DAYS:]
    return (today.trend.is_declining and last[-1].valence < DECLINED_BELOW) or (
        len(last) == LOW_DAYS
        and all(b.day - a.day == timedelta(days=1) for a, b in pairwise(last))
        and all(day.valence <= LOW for day in last)
    )


def is_tired(today: Today) -> bool:
    """Tell whether most of what was felt on each of the last days had little energy, up to yesterday or today."""
    by_day: dict[date, list[bool]] = {}
    for mood in today.moods:
        by_day.setdefault(timezone.localdate(mood.at), []).append(mood.state.energy == "low")
    ends = (today.local.date(), today.local.date() - timedelta(days=1))
    return any(
        all(
            sum(tired := by_day.get(end - timedelta(days=back), [])) * 2 > len(tired)
            for back in range(TIRED_DAYS)
        )
        for end in ends
    )


def offer_initiative(
    space: UUID,
    *,
    spoken: bool,
    talked: bool,
    now: datetime,
    actor: models.Model | None = None,
) -> Initiative | None:
    """Return what is offered now: today's word, or a new one where there may be one.

    Args:
        spoken: whether the person has said something today; talked: whether there are conversations to look back on.
    """
    with space_scope(space):
        if not has_memory_on(space):
            return None
        wishes, local = read_wishes(space), timezone.localtime(now)
        if not wishes.initiative_on or wishes.is_quiet(local.time()):
            return None
        row = Initiative.objects.for_space(space).filter(day=local.date()).first()
        if row is not None:
            return _again(row, local.time())
        since = start_of_today(now, days_ago=TIRED_DAYS)
        is_evening = _is_its_hour(Kind.EVENING, local.time())
        today = Today(
            at=now,
            wishes=wishes,
            trend=mood_trend(space, now),
            moods=moods_between(space, since, now),
            spoken=spoken,
            has_content=is_evening and (talked or day_in_life(space, now=now) != DayInLife()),
        )
        kind = choose_kind(today)
        if kind is None:
            return None
        row = _show(space, local.date(), kind, actor, now=now)
        return _again(row, local.time())


def take_up(space: UUID, initiative_id: UUID, *, now: datetime) -> Kind | None:
    """Note that a word was taken up; return its kind the first time, None once it was taken up or dismissed.

    Raises:
        NotFound.
    """
    return _answer(space, initiative_id, "taken_at", now=now)


def dismiss(space: UUID, initiative_id: UUID, *, now: datetime) -> None:
    """Note that a word is not wanted; answered already, it stays as it was.

    Raises:
        NotFound.
    """
    _answer(space, initiative_id, "dismissed_at", now=now)


def day_in_life(space: UUID, *, now: datetime) -> DayInLife:
    """Return what of the local day there is: goals that were touched, and gratitude."""
    since = start_of_today(now)
    with space_scope(space):
        touched = Goal.objects.for_space(space).filter(updated_at__range=(since, now))
        goals = tuple(goal.text for goal in touched.order_by("-updated_at", "-id"))
    gratitude = tuple(one.text for one in list_notes(space, GRATITUDE, since=since) if one.at <= now)
    return DayInLife(goals=goals, gratitude=gratitude)


def _again(row: Initiative, at: time) -> Initiative | None:
    """Return a word that was shown today, while it is neither answered nor out of its time."""
    is_over = row.taken_at or row.dismissed_at or not _is_its_hour(Kind(row.kind), at)
    return None if is_over else row


def _is_its_hour(kind: Kind, at: time) -> bool:
    match kind:
        case Kind.MORNING:
            return MORNING_FROM <= at < MORNING_UNTIL
        case Kind.EVENING:
            return at >= EVENING_FROM
    return True


def _show(space: UUID, day: date, kind: Kind, actor: models.Model | None, *, now: datetime) -> Initiative:
    """Return the day's row: a new one, or the one that another tab was first with."""
    try:
        with transaction.atomic():
            row = Initiative.objects.create(space_id=space, day=day, kind=kind, shown_at=now)
    except IntegrityError:
        return Initiative.objects.for_space(space).get(day=day)
    shown = {"kind": str(kind)}
    record_event("memory.initiative_shown", chain=space, actor=actor, subject=row, data=shown, now=now)
    return row


def _answer(space: UUID, initiative_id: UUID, column: str, *, now: datetime) -> Kind | None:
    with space_scope(space):
        rows = Initiative.objects.for_space(space).filter(pk=initiative_id)
        row = rows.find()
        # One update decides between two tabs.
        open_rows = rows.filter(taken_at__isnull=True, dismissed_at__isnull=True)
        return Kind(row.kind) if open_rows.update(**{column: now}) else None
