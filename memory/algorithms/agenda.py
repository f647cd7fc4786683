"""What comes up within a time that is asked for, by the days that a text names. Pure: `now` comes in."""

import re
from datetime import date, datetime, timedelta

from memory.algorithms.dates import find_ranges
from memory.algorithms.reminders import read_coming, read_days

DAY = timedelta(days=1)
#: Where no time is named, so many days ahead are meant.
AHEAD_DAYS = 7
_NEXT_WEEK = re.compile(r"\b(?:next week|nästa vecka)\b")


def span_asked_for(question: str, *, language: str, now: datetime) -> tuple[date, date]:
    """Return the first and the last day that a question about what comes up is meant for; none of them lies behind.

    Args:
        now: local time.
    """
    today, lowered = now.date(), question.lower()
    if _NEXT_WEEK.search(lowered):
        monday = today + (7 - today.weekday()) * DAY
        return monday, monday + 6 * DAY
    if (day := read_coming(question, language=language, said_at=now).on) is not None:
        return day, day
    ends = [
        datetime.fromtimestamp(one.end, now.tzinfo).date() - DAY for one in find_ranges(question, now=now)
    ]
    last = max((end for end in ends if end >= today), default=today + AHEAD_DAYS * DAY)
    return today, last


def day_within(text: str, *, language: str, said_at: datetime, span: tuple[date, date]) -> date | None:
    """Return the first day within a span that a text names as it was said; None where it names none, or what comes again and again.

    Args:
        said_at: local time; what "tomorrow" is told from.
    """
    coming = read_coming(text, language=language, said_at=said_at)
    if coming.is_recurring:
        return None
    days = {*read_days(" ".join(text.lower().split()), language=language, today=said_at.date()), coming.on}
    return min((day for day in days if day is not None and span[0] <= day <= span[1]), default=None)
