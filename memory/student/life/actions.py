"""What a message asks to be noted of its person's life, whoever reads it: the reader's heads or a model."""

from dataclasses import dataclass, field
from typing import Any

from memory.student.life.kinds import JOURNALS

SET_GOAL, UPDATE_GOAL, LOG_MOOD = "set_goal", "update_goal", "log_mood"
#: what a model may ask for; it tells moods as feelings
BY_MODEL = (SET_GOAL, UPDATE_GOAL, *(journal.action for journal in JOURNALS))
#: what became of a goal
NOTE, DONE, DROPPED = CHANGES = ("note", "done", "dropped")


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing to be noted.

    Attributes:
        text: the goal, how it went with one, or what a journal is to hold; in the person's words.
        goal: of an update, its place among the goals given; change: one of `CHANGES`.
        feeling: of a mood, its emotion, intensity and energy.
    """

    type: str
    text: str = ""
    goal: int = 0
    change: str = NOTE
    feeling: dict[str, Any] = field(default_factory=dict)
