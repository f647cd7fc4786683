"""When what was asked is due again, by Leitner's boxes. Pure: no Django, no clock."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

#: How an answer was: what it asked for, nearly, something else, or that they do not know.
Verdict = Literal["right", "nearly", "wrong", "unknown"]
#: Of each box, after how many days it is asked from again; the first holds what was missed. Each waits about twice as long as
#: the one before, as in Leitner's card box (1972); nothing of our own has been measured yet.
DAYS = (0, 1, 3, 7, 16, 35)


@dataclass(frozen=True, kw_only=True)
class Place:
    """In which box something lies, and the day from which it is asked again."""

    box: int
    due_on: date


def move(place: Place | None, verdict: Verdict, *, today: date) -> Place:
    """Return where something lies after an answer: one box on, in the same, or in the first.

    What is asked before it is due moves on by no right answer: it was not long enough ago to tell.

    Args:
        place: where it lay; None for what was never asked.
    """
    box = place.box if place is not None else 0
    is_due = place is None or place.due_on <= today
    if verdict in {"wrong", "unknown"}:
        return Place(box=0, due_on=today + timedelta(days=DAYS[0]))
    if verdict == "right" and is_due:
        box = min(box + 1, len(DAYS) - 1)
    elif place is not None and not is_due:
        return place
    return Place(box=box, due_on=today + timedelta(days=DAYS[box]))
