"""Dates and weekdays that a message asks for, told from the person's own day: `now` comes in."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from django.utils import translation
from django.utils.dateformat import format as format_date

from chat.notebook.numerals import spell_out
from companion_site.llm.types import Language
from memory.algorithms.reminders import read_coming, read_days

Asked = Literal["weekday", "until", "between", "date", "week", "time"]

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


@dataclass(frozen=True)
class Day:
    """What was asked of which days.

    Attributes:
        days: the one day, or the two that it is between; the person's own day is among them where none other is named.
    """

    asked: Asked
    days: tuple[date, ...]
    now: datetime

    @property
    def apart(self) -> int:
        """Days from the first to the last."""
        return (self.days[-1] - self.days[0]).days

    def write(self, language: Language) -> str:
        """Return the answer as one plain sentence."""
        told = self._tell(language)
        return told[:1].upper() + told[1:]

    def _tell(self, language: Language) -> str:
        words = _WORDS[language]
        first, last = (
            write_day(day, language, today=self.now.date()) for day in (self.days[0], self.days[-1])
        )
        match self.asked:
            case "time":
                return words["time"].format(time=f"{self.now:%H:%M}")
            case "week":
                return words["week"].format(day=last, week=self.days[0].isocalendar().week)
            case "between":
                return words["between"].format(first=first, last=last, count=count_days(self.apart, language))
            case "until" if self.apart < 0:
                return words["past"].format(day=last, count=count_days(-self.apart, language))
            case "until":
                return words["until"].format(day=last, count=count_days(self.apart, language))
            case _ if self.days[0] == self.now.date():
                return words["today"].format(day=last)
            case _:
                return words["day"].format(day=last)


def find_day(text: str, *, language: Language, now: datetime) -> Day | None:
    """Return what a message asks of days that it names itself; None where it asks for nothing of the kind.

    Args:
        now: in the person's local time.
    """
    said = spell_out(text.replace("\u2019", "'"))
    today = now.date()
    days = read_days(said, language=language, today=today)
    if _TIME.search(said):
        return Day("time", (today,), now)
    if _WEEK.search(said) and (days or _IS_NOW.search(said)):
        return Day("week", (days[0] if days else today,), now)
    if _HOW_LONG.search(said):
        if len(days) == 2 and _BETWEEN.search(said):
            return Day("between", _in_order(*days, is_dated=bool(_YEAR.search(said))), now)
        return Day("until", (today, days[0]), now) if len(days) == 1 else None
    if not (_DATE.search(said) or _WEEKDAY.search(said)):
        return None
    asked: Asked = "date" if _DATE.search(said) else "weekday"
    if not days:
        coming = read_coming(said, language=language, said_at=now).on
        days = (coming,) if coming else ()
    # "What day is my exam?" names no day, so it is no question for the calendar.
    if not days and not _IS_NOW.search(said):
        return None
    return Day(asked, (days[0] if days else today,), now)


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
        "between": "From {first} to {last} it is {count}.",
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
        "between": "Från {first} till {last} är det {count}.",
        "until": "Det är {count} till {day}.",
        "past": "{day} var för {count} sedan.",
        "today": "I dag är det {day}.",
        "day": "Det är {day}.",
        "days": ("{} dag", "{} dagar"),
        "weeks": ("{} vecka", "{} veckor"),
        "and": "och",
    },
}
