"""The mood log: what was read from messages and what a person told themselves. The space is unlocked by the caller.

A message has one mood: what was told in it takes the place of what was read from it, whichever was written first, and what
somebody takes back leaves none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django.db import models
from django.utils import timezone

from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.days import start_of_today
from companion_site.vault.columns import opener
from companion_site.vault.scope import lock_space, space_scope
from memory.algorithms.moods import FeltAt, count_declining, mean_days
from memory.models import Mood
from memory.reading.params import READING
from memory.student.life.deletion import delete_row
from memory.student.life.feelings import (
    EMOTIONS,
    LEVELS,
    EmotionState,
    Level,
    MoodTrend,
    PrimaryEmotion,
)
from memory.student.life.limits import LIFE, LifeRefused, NotInRange, clean_words
from memory.student.sleep.timing import has_memory_on

#: days back, today included, in which a decline is looked for
TREND_DAYS = 14


@dataclass(frozen=True, kw_only=True)
class ShownMood:
    """One mood of the log.

    Attributes:
        is_told: by the person; otherwise read from their message.
        note: their own words, "" for none.
    """

    id: UUID
    at: datetime
    state: EmotionState
    is_told: bool
    note: str
    message_id: UUID | None


def note_mood(
    space: UUID, state: EmotionState, message_id: UUID, now: datetime, *, actor: models.Model | None = None
) -> Mood | None:
    """Write down what was read from a message; return the mood that the message has, which may be one that was told.

    None where there is nothing to write: memory is off, no feeling was told (neutral), or the reading is too unsure.
    What the person deleted does not come back by itself: a message is read when its reply is complete, which is once.
    """
    if state.primary_emotion == "neutral" or state.confidence < READING.feeling:
        return None
    with space_scope(space):
        if not has_memory_on(space):
            return None
        lock_space(space)
        row = Mood.objects.for_space(space).filter(message_id=message_id).first()
        return row or _write(space, state, Mood.Origin.READ, now, message_id, "", actor)


def correct_mood(space: UUID, state: EmotionState, message_id: UUID, *, at: datetime, now: datetime) -> None:
    """Put a later reading in the place of what was read from a message; what was told in it stays.

    Where the message has no mood one is written, unless a mood was deleted since: what somebody takes back does not return.
    Inside the space's scope and lock.

    Args:
        at: when it was said.
    """
    row = Mood.objects.for_space(space).filter(message_id=message_id).first()
    if row is None:
        deleted = AuditEvent.objects.filter(chain=space, action="memory.mood_deleted", at__gte=at)
        if state.primary_emotion != "neutral" and not deleted.exists():
            _write(space, state, Mood.Origin.READ, at, message_id, "", None)
    elif row.origin == Mood.Origin.READ and state.primary_emotion == "neutral":
        delete_row(row, now=now)
    elif row.origin == Mood.Origin.READ:
        row.state = {**asdict(state), "note": row.state.get("note", "")}
        row.save(update_fields=["state"])


def tell_mood(
    space: UUID,
    *,
    emotion: PrimaryEmotion,
    intensity: Level,
    energy: Level = "medium",
    note: str = "",
    now: datetime,
    actor: models.Model | None = None,
    message_id: UUID | None = None,
) -> Mood | None:
    """Write down how somebody says that they feel; None with memory off. From the same message it stands once and alone.

    Raises:
        NotInRange: no such feeling.
        LifeRefused: the note is too long, or there are as many as a day may have.
    """
    if emotion not in EMOTIONS or not {intensity, energy} <= set(LEVELS):
        raise NotInRange()
    state = EmotionState.of(emotion, intensity, energy=energy, confidence=1.0)
    words = clean_words(note, most=LIFE.mood_note_chars) if note.strip() else ""
    with space_scope(space):
        if not has_memory_on(space):
            return None
        lock_space(space)
        rows = Mood.objects.for_space(space)
        of_message = rows.filter(message_id=message_id).first() if message_id is not None else None
        if of_message is not None and of_message.origin == Mood.Origin.TOLD:
            return of_message
        told = rows.filter(origin=Mood.Origin.TOLD, at__gte=start_of_today(now))
        if told.count() >= LIFE.told_moods_of_day:
            raise LifeRefused(why="too-many")
        if of_message is not None:
            delete_row(of_message, now=now, actor=actor)
        return _write(space, state, Mood.Origin.TOLD, now, message_id, words, actor)


def moods_between(space: UUID, start: datetime, end: datetime) -> list[ShownMood]:
    """Return the moods felt from `start` to `end`, both included, the newest first."""
    with space_scope(space):
        rows = Mood.objects.for_space(space).filter(at__range=(start, end)).order_by("-at", "-id")
        return list(_show(space, rows))


def felt_at(mood: ShownMood) -> FeltAt:
    """Return a mood as the days are reckoned by."""
    return FeltAt(
        day=timezone.localdate(mood.at),
        valence=mood.state.valence,
        emotion=mood.state.primary_emotion,
        is_told=mood.is_told,
    )


def mood_trend(space: UUID, now: datetime) -> MoodTrend:
    """Return how the moods of the last days went, by days here; nothing with memory off."""
    with space_scope(space):
        return trend_of(recent_moods(space, now)) if has_memory_on(space) else MoodTrend()


def begin_of_trend(now: datetime) -> datetime:
    """Return from when on moods make the trend of this moment."""
    return start_of_today(now, days_ago=TREND_DAYS - 1)


def recent_moods(space: UUID, now: datetime) -> list[ShownMood]:
    """Return the moods of the last days up to `now`, the oldest first; whether memory is on, the caller knows."""
    return moods_between(space, begin_of_trend(now), now)[::-1]


def last_told(space: UUID, *, before: datetime, most: int) -> list[ShownMood]:
    """Return what a person last told of their mood before some moment, the newest first."""
    with space_scope(space):
        rows = Mood.objects.for_space(space).filter(origin=Mood.Origin.TOLD, at__lt=before)
        return list(_show(space, rows.order_by("-at", "-id")[:most]))


def trend_of(moods: Sequence[ShownMood]) -> MoodTrend:
    """Return how moods went, given the oldest first, by days here."""
    days = mean_days([felt_at(mood) for mood in moods])
    return MoodTrend(days=tuple(days), declining_days=count_declining([day.valence for day in days]))


def _write(
    space: UUID,
    state: EmotionState,
    origin: Mood.Origin,
    now: datetime,
    message_id: UUID | None,
    note: str,
    actor: models.Model | None,
) -> Mood:
    row = Mood.objects.create(
        space_id=space, at=now, origin=origin, message_id=message_id, state={**asdict(state), "note": note}
    )
    record_event(f"memory.mood_{origin}", chain=space, actor=actor, subject=row, now=now)
    return row


def _show(space: UUID, rows: models.QuerySet[Mood]) -> Iterator[ShownMood]:
    open_state = opener(space, Mood, "state")
    for pk, at, origin, message_id, box in rows.values_list("pk", "at", "origin", "message_id", "state"):
        values = open_state(pk, box)
        note = values.pop("note", "")
        yield ShownMood(
            id=pk,
            at=at,
            state=EmotionState(**values),
            is_told=origin == Mood.Origin.TOLD,
            note=note,
            message_id=message_id,
        )
