"""Some weeks of a demo student's life, by the doors that a person's own words come in by: moods, goals, gratitude, measures."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models
from django.utils import timezone

from memory.models import Goal
from memory.student.life.feelings import Level, PrimaryEmotion
from memory.student.life.goals import move_goal, note_goal, set_goal
from memory.student.life.gratitude import log_gratitude
from memory.student.life.metrics import Name, set_measures
from memory.student.life.moods import tell_mood

Words = dict[str, str]

NOTES: dict[str, Words] = {
    "test": {"en": "Maths test tomorrow.", "sv": "Matteprov i morgon."},
    "over": {"en": "The test went better than I thought.", "sv": "Provet gick bättre än jag trodde."},
    "alone": {"en": "Ate lunch alone.", "sv": "Åt lunch ensam."},
    "band": {
        "en": "We played the whole song without stopping!",
        "sv": "Vi spelade hela låten utan att stanna!",
    },
    "sofa": {"en": "Read on the sofa all afternoon.", "sv": "Läste i soffan hela eftermiddagen."},
}

#: (days ago, feeling, how much, energy, note)
MOODS: tuple[tuple[int, PrimaryEmotion, Level, Level, str], ...] = (
    (38, "neutral", "low", "medium", ""),
    (36, "anxiety", "medium", "medium", ""),
    (34, "anxiety", "high", "low", "test"),
    (33, "joy", "medium", "high", "over"),
    (31, "calm", "medium", "medium", ""),
    (28, "calm", "low", "medium", ""),
    (26, "loneliness", "medium", "low", "alone"),
    (25, "sadness", "low", "low", ""),
    (23, "neutral", "low", "medium", ""),
    (21, "calm", "medium", "medium", "sofa"),
    (18, "joy", "low", "medium", ""),
    (16, "joy", "high", "high", "band"),
    (14, "calm", "medium", "medium", ""),
    (11, "neutral", "low", "low", ""),
    (9, "anxiety", "low", "medium", ""),
    (7, "calm", "low", "medium", ""),
    (5, "joy", "low", "high", ""),
    (3, "calm", "medium", "medium", ""),
    (1, "joy", "medium", "medium", ""),
)

GRATITUDE: tuple[tuple[int, Words], ...] = (
    (33, {"en": "Karin's patience with my questions", "sv": "Karins tålamod med mina frågor"}),
    (27, {"en": "The sun on the way home", "sv": "Solen på vägen hem"}),
    (21, {"en": "A whole afternoon with a good book", "sv": "En hel eftermiddag med en bra bok"}),
    (16, {"en": "Everyone clapping after the song", "sv": "Att alla klappade efter låten"}),
    (13, {"en": "That Mira said yes", "sv": "Att Mira sa ja"}),
    (8, {"en": "Pancakes on a Thursday", "sv": "Pannkakor på en torsdag"}),
    (4, {"en": "My brother let me choose the film", "sv": "Att min bror lät mig välja film"}),
    (1, {"en": "Hot chocolate after training", "sv": "Varm choklad efter träningen"}),
)
#: Days of which a device has sent measures.
MEASURED_DAYS = 14


@dataclass(frozen=True, kw_only=True)
class DemoGoal:
    """A goal with what was noted of it, each so many days ago."""

    days_ago: int
    words: Words
    notes: tuple[tuple[int, Words], ...] = ()
    reached_days_ago: int | None = None


GOALS: tuple[DemoGoal, ...] = (
    DemoGoal(
        days_ago=30,
        words={
            "en": "Practise fractions for ten minutes after dinner",
            "sv": "Öva bråk i tio minuter efter middagen",
        },
        notes=(
            (24, {"en": "Four evenings this week.", "sv": "Fyra kvällar den här veckan."}),
            (10, {"en": "Easier with pictures.", "sv": "Lättare med bilder."}),
        ),
    ),
    DemoGoal(
        days_ago=20,
        words={"en": "Ask someone new to eat lunch with me", "sv": "Fråga någon ny om vi ska äta lunch ihop"},
        notes=(
            (
                13,
                {
                    "en": "Asked Mira. We talked about her dog.",
                    "sv": "Frågade Mira. Vi pratade om hennes hund.",
                },
            ),
        ),
    ),
    DemoGoal(
        days_ago=35,
        words={"en": "Learn the song for the concert", "sv": "Lära mig låten till konserten"},
        notes=((22, {"en": "I know the refrain by heart now.", "sv": "Refrängen sitter nu."}),),
        reached_days_ago=16,
    ),
)


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
    space, language, person = student.space, student.language, student.person
    row = set_goal(space, goal.words[language], now=student.ago(goal.days_ago), actor=person)
    for days, words in goal.notes:
        note_goal(space, row.pk, words[language], now=student.ago(days), actor=person)
    if goal.reached_days_ago is not None:
        move_goal(space, row.pk, Goal.State.DONE, now=student.ago(goal.reached_days_ago), actor=person)


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
