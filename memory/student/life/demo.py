"""Some weeks of a demo student's life, by the doors that a person's own words come in by: moods, goals, gratitude, measures."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models
from django.utils import timezone

from memory.student.life.demo_words import GOALS, GRATITUDE, MOODS, NOTES, DemoGoal
from memory.student.life.goals import close_goal, note_goal, set_goal
from memory.student.life.gratitude import log_gratitude
from memory.student.life.metrics import Name, set_measures
from memory.student.life.mood_log import tell_mood

#: Days of which a device has sent measures.
MEASURED_DAYS = 14


@dataclass(frozen=True)
class _Student:
    space: UUID
    language: str
    now: datetime
    person: models.Model

    def ago(self, days: int, *, hour: int = 19) -> datetime:
        """Return an hour of a day so many days ago, where the site is; never ahead of now."""
        at = timezone.localtime(self.now - timedelta(days=days)).replace(hour=hour, minute=10, second=0)
        return min(at, self.now)


def live_demo_weeks(space: UUID, *, language: str, now: datetime, person: models.Model) -> None:
    """Write down the weeks before `now`. The space is unlocked by the caller."""
    student = _Student(space, language, now, person)
    _feel(student)
    for goal in GOALS:
        _pursue(student, goal)
    for days, words in GRATITUDE:
        log_gratitude(space, words[language], now=student.ago(days, hour=21), actor=person)
    for days, values in _measured():
        at = student.ago(days, hour=22)
        set_measures(space, timezone.localdate(at), values, now=at, actor=person)


def _feel(student: _Student) -> None:
    for days, emotion, intensity, energy, note in MOODS:
        tell_mood(
            student.space,
            emotion=emotion,
            intensity=intensity,
            energy=energy,
            note=NOTES[note][student.language] if note else "",
            now=student.ago(days),
            actor=student.person,
        )


def _pursue(student: _Student, goal: DemoGoal) -> None:
    """Set a goal, note how it went, and reach it where it was."""
    space, language, person = student.space, student.language, student.person
    row = set_goal(space, goal.words[language], now=student.ago(goal.days_ago), actor=person)
    for days, words in goal.notes:
        note_goal(space, row.pk, words[language], now=student.ago(days), actor=person)
    if goal.reached_days_ago is not None:
        close_goal(space, row.pk, now=student.ago(goal.reached_days_ago), actor=person)


def _measured() -> Iterator[tuple[int, dict[str, float]]]:
    """Yield measures of days gone by: a week has its rhythm, and one day the watch lay at home."""
    for days in range(MEASURED_DAYS, 0, -1):
        if days != 5:
            yield (
                days,
                {
                    Name.SLEEP_HOURS: 6.5 + (days * 5 % 8) / 4,
                    Name.STEPS: 4_200 + days * 1_733 % 5_600,
                    Name.ACTIVE_MINUTES: 20 + days * 17 % 45,
                    Name.RESTING_PULSE: 58 + days * 3 % 7,
                },
            )
