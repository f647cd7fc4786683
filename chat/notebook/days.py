"""Dates and weekdays that a message asks for, told from the person's own day: `now` comes in."""

import re
from datetime import date, datetime

from django.utils import translation
from django.utils.dateformat import format as format_date

from chat.notebook.numerals import spell_out
from companion_site.llm.types import Language
from memory.algorithms.reminders import read_coming, read_days

#: Nothing follows that would make it another question, such as "at the exam".
_NOW = r"(?: (?:right |just )?(?:now|today|nu|i ?dag))?\W*$"
_TIME = re.compile(
    rf"\b(?:what(?:'s| is) the time|what time is it|(?:vad|hur mycket) är klockan|vad är det för tid){_NOW}"
)
_WEEK = re.compile(
    r"\b(?:what|which) week\b|\bweek number\b|\bvilken vecka\b|\bveckonummer\b|\bvad är det för vecka\b"
)
_BETWEEN = re.compile(r"\b(?:between|mellan|from|från)\b.+\b(?:and|och|to|until|till)\b")
_HOW_LONG = re.compile(
    r"\bhow (?:many (?:days|weeks)|long)\b.*\b(?:until|till|to|before|left|between)\b"
    r"|\bhur (?:många (?:dagar|veckor)|länge|lång tid)\b.*\b(?:till|kvar|innan|tills|mellan)\b"
)
_DATE = re.compile(
    r"\b(?:what|which)(?:'s| is)? (?:the )?date\b|\bvilket datum\b|\bvad är det för datum\b|\b(?:today's|dagens) (?:date|datum)\b"
)
_WEEKDAY = re.compile(
    r"\b(?:what|which) (?:week)?day\b|\bday of the week\b|\bvilken (?:vecko)?dag\b|\bvad är .{2,30} för (?:vecko)?dag\b"
)
#: The day that it is, and not one that something is on.
_IS_NOW = re.compile(
    rf"\b(?:is it|is (?:it )?today|is the date|'s the date|date is it|today's date|är det(?: för (?:vecko)?dag| för datum| för vecka)?|dagens datum|week is it|week number){_NOW}"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def find_day(text: str, *, language: Language, now: datetime) -> str:
    """Return the answer to what a message asks of days that it names itself, as one plain sentence; "" for nothing of the kind.

    Args:
        now: in the person's local time.
    """
    found = _find_asked(text, language=language, now=now)
    if found is None:
        return ""
    kind, days = found
    today, apart = now.date(), (days[-1] - days[0]).days
    first, last = (write_day(day, language, today=today) for day in (days[0], days[-1]))
    if kind == "until" and apart < 0:
        kind = "past"
    elif kind == "day" and days[0] == today:
        kind = "today"
    told = _WORDS[language][kind].format(
        time=f"{now:%H:%M}",
        week=days[0].isocalendar().week,
        first=first,
        day=last,
        count=count_days(abs(apart), language),
    )
    return str(told[:1].upper() + told[1:])


def _find_asked(text: str, *, language: Language, now: datetime) -> tuple[str, tuple[date, ...]] | None:
    """Return what is asked, as `_WORDS` names it, and of which days: one, or the first and the last; the person's own where none is named."""
    said = spell_out(text.replace("\u2019", "'"))
    today = now.date()
    days = read_days(said, language=language, today=today)
    if _TIME.search(said):
        return "time", (today,)
    if _WEEK.search(said) and (days or _IS_NOW.search(said)):
        return "week", (days[0] if days else today,)
    if _HOW_LONG.search(said):
        if len(days) == 2 and _BETWEEN.search(said):
            return "between", _in_order(*days, is_dated=bool(_YEAR.search(said)))
        return ("until", (today, days[0])) if len(days) == 1 else None
    if not (_DATE.search(said) or _WEEKDAY.search(said)):
        return None
    if not days:
        coming = read_coming(said, language=language, said_at=now).on
        days = (coming,) if coming else ()
    # "What day is my exam?" names no day, so it is no question for the calendar.
    if not days and not _IS_NOW.search(said):
        return None
    return "day", (days[0] if days else today,)


def _in_order(first: date, last: date, *, is_dated: bool) -> tuple[date, date]:
    """Return two days, the earlier first; without a year the first is the one before the last."""
    if first > last and not is_dated and (first.month, first.day) != (2, 29):
        first = first.replace(year=last.year - ((first.month, first.day) > (last.month, last.day)))
    return min(first, last), max(first, last)


def write_day(day: date, language: Language, *, today: date) -> str:
    """Return "Saturday 6 June", with the year where it is another."""
    with translation.override(language):
        return format_date(day, "l j F" if day.year == today.year else "l j F Y")


def count_days(days: int, language: Language) -> str:
    """Return "45 days (6 weeks and 3 days)"."""
    words = _WORDS[language]
    plain = words["days"][days != 1].format(days)
    weeks, rest = divmod(days, 7)
    if weeks < 2:
        return plain
    told = words["weeks"][weeks != 1].format(weeks)
    return (
        f"{plain} ({told} {words['and']} {words['days'][rest != 1].format(rest)})"
        if rest
        else f"{plain} ({told})"
    )


_WORDS: dict[Language, dict] = {
    "en": {
        "time": "It is {time}.",
        "week": "{day} is in week {week}.",
        "between": "From {first} to {day} it is {count}.",
        "until": "It is {count} until {day}.",
        "past": "{day} was {count} ago.",
        "today": "Today is {day}.",
        "day": "That is {day}.",
        "days": ("{} day", "{} days"),
        "weeks": ("{} week", "{} weeks"),
        "and": "and",
    },
    "sv": {
        "time": "Klockan är {time}.",
        "week": "{day} är i vecka {week}.",
        "between": "Från {first} till {day} är det {count}.",
        "until": "Det är {count} till {day}.",
        "past": "{day} var för {count} sedan.",
        "today": "I dag är det {day}.",
        "day": "Det är {day}.",
        "days": ("{} dag", "{} dagar"),
        "weeks": ("{} vecka", "{} veckor"),
        "and": "och",
    },
}
