"""Some weeks of a demo student's life, by the doors that a person's own words come in by: moods, goals, gratitude, measures."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.db import models
from django.utils import timezone

from memory.models import Goal
from memory.student.life.goals import move_goal, note_goal, set_goal
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.metrics import Name, set_measures
from memory.student.life.moods import tell_mood

WEEKS = Path(__file__).with_name("demo.json")
#: Days of which a device has sent measures.
MEASURED_DAYS = 14


def live_demo_weeks(space: UUID, *, language: str, now: datetime, person: models.Model) -> None:
    """Write down the weeks before `now`. The space is unlocked by the caller."""

    def ago(days: int, *, hour: int = 19) -> datetime:
        """Return an hour of a day so many days ago, where the site is; never ahead of now."""
        at = timezone.localtime(now - timedelta(days=days)).replace(hour=hour, minute=10, second=0)
        return min(at, now)

    lived = json.loads(WEEKS.read_text())
    for mood in lived["moods"]:
        felt = {name: mood[name] for name in ("emotion", "intensity", "energy")}
        note = mood["note"][language] if "note" in mood else ""
        tell_mood(space, **felt, note=note, now=ago(mood["days_ago"]), actor=person)
    for goal in lived["goals"]:
        row = set_goal(space, goal["words"][language], now=ago(goal["days_ago"]), actor=person)
        for note in goal["notes"]:
            note_goal(space, row.pk, note["words"][language], now=ago(note["days_ago"]), actor=person)
        if goal["reached_days_ago"] is not None:
            move_goal(space, row.pk, Goal.State.DONE, now=ago(goal["reached_days_ago"]), actor=person)
    for entry in lived["gratitude"]:
        at = ago(entry["days_ago"], hour=21)
        write_note(space, GRATITUDE, entry["words"][language], now=at, actor=person)
    for days, values in _measured():
        at = ago(days, hour=22)
        set_measures(space, timezone.localdate(at), values, now=at, actor=person)


def _measured() -> Iterator[tuple[int, dict[str, float]]]:
    """Yield measures of days gone by: a week has its rhythm, and one day the watch lay at home."""
    for days in range(MEASURED_DAYS, 0, -1):
        if days != 5:
            values: dict[str, float] = {
                Name.SLEEP_HOURS: 6.5 + (days * 5 % 8) / 4,
                Name.STEPS: 4_200 + days * 1_733 % 5_600,
                Name.ACTIVE_MINUTES: 20 + days * 17 % 45,
                Name.RESTING_PULSE: 58 + days * 3 % 7,
            }
            yield days, values
