"""A mood as its person names it, by a form or in plain words: the feeling, how much of it, how lively. The space is unlocked by the caller."""

from datetime import datetime
from uuid import UUID

from django.db import models

from memory.models import Mood
from memory.student.life import moods
from memory.student.life.feelings import EMOTIONS, LEVELS, EmotionState, Level, PrimaryEmotion, valence_of
from memory.student.life.limits import NotInRange


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
    """Write down how somebody says that they feel; nobody knows it better. None with memory off.

    Raises:
        NotInRange: no such feeling.
        TooLong, TooMany: as `moods.tell_mood` raises.
    """
    if emotion not in EMOTIONS or intensity not in LEVELS:
        raise NotInRange()
    state = EmotionState(
        primary_emotion=emotion,
        intensity=intensity,
        energy=energy,
        social_need="unknown",
        valence=valence_of(emotion, intensity),
        confidence=1.0,
    )
    return moods.tell_mood(space, state, note=note, now=now, actor=actor, message_id=message_id)
