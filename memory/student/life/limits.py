"""How much of a person's life is kept: lengths in characters, counts in rows; and what is refused beyond them."""

from dataclasses import dataclass
from typing import TypeVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput
from companion_site.language import fold_words, sanitise
from memory.models import Goal
from memory.models.life import Note

Row = TypeVar("Row", bound=Goal | Note)


@dataclass(frozen=True, kw_only=True)
class LifeLimits:
    """The most there may be of each.

    Attributes:
        active_goals: nobody pursues more at once; what was reached or dropped does not count.
        avoided: topics that somebody does not want to speak of.
    """

    goal_chars: int = 300
    note_chars: int = 500
    mood_note_chars: int = 300
    topic_chars: int = 80
    goals: int = 1_000
    active_goals: int = 50
    notes_of_goal: int = 200
    told_moods_of_day: int = 48
    avoided: int = 40


LIFE = LifeLimits()


class LifeRefused(InvalidInput):
    code = "life.refused"
    reasons = {
        "nothing-said": _("Write a few words first."),
        "too-long": _("That is too long. Please say it in fewer words."),
        "too-many": _("There are as many of these as there may be. Delete one first."),
        "goal-closed": _("This goal is closed. Take it up again first."),
        "taken-meanwhile": _("Something else has taken its place meanwhile, so it cannot come back."),
    }


class NotInRange(InvalidInput):
    code = "life.not-in-range"
    message = _("That number or day cannot be right.")


def clean_words(text: str, *, most: int) -> str:
    """Return words on one line, without what cannot be seen.

    Raises:
        LifeRefused: nothing is said, or too much.
    """
    words = " ".join(sanitise(text).split())
    if not words:
        raise LifeRefused(why="nothing-said")
    if len(words) > most:
        raise LifeRefused(why="too-long")
    return words


def find_same_words(rows: models.QuerySet[Row], words: str) -> Row | None:
    """Return the row that says the same, whatever its capitals and spaces."""
    wanted = fold_words(words)
    return next((row for row in rows if fold_words(row.text) == wanted), None)
