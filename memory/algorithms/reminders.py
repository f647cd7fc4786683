"""When something comes up, as it was said, English and Swedish: a coming day, times of day, weekdays, how often.

Pure: the moment of saying comes in. `dates` reads what was; this reads what is to come: "on Friday" is the next Friday, "12 March"
the next one. Only what is said is returned. An hour alone from one to six is taken for the afternoon unless a word of the morning
stands by it, as people mean it; written with a leading zero or beside "am" it is what it says. Numbers with a slash are a day in
Swedish (12/5 is 12 May) and left out in English, where they are two different days.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memory.algorithms.clock import NUMBERS, read_times
from memory.algorithms.dates import DAY, MONTHS, WEEKDAYS, any_of, find_ranges
from memory.algorithms.quantities import ORDINALS

WORKDAYS, WEEKEND = frozenset(range(5)), frozenset({5, 6})


@dataclass(frozen=True, kw_only=True)
class Coming:
    """When something comes up, as far as it was said.

    Attributes:
        on: one day; None for what comes again and again.
        at: times of day, the earliest first.
        weekdays: 0 is Monday.
        every: "day", "week", "month", "year" or several of them, as "2 weeks"; "4 hours".
    """

    on: date | None = None
    at: tuple[time, ...] = ()
    weekdays: frozenset[int] = frozenset()
    every: str | None = None

    @property
    def is_recurring(self) -> bool:
        return self.every is not None or bool(self.weekdays)

    @property
    def is_said(self) -> bool:
        """Whether anything was said of when."""
        return self.is_recurring or self.on is not None or bool(self.at)


_NTH = {"other": 2, **{word: number for word, number in ORDINALS.items() if number > 1}}
_UNITS = {
    **dict.fromkeys(("hour", "hours", "timme", "timmar", "timmen"), "hour"),
    **dict.fromkeys(("day", "days", "dag", "dagar", "dagen"), "day"),
    **dict.fromkeys(("morning", "evening", "afternoon", "night", "morgon", "kväll", "natt", "eftermiddag", "förmiddag"), "day"),
    **dict.fromkeys(("week", "weeks", "vecka", "veckor", "veckan"), "week"),
    **dict.fromkeys(("month", "months", "månad", "månader", "månaden"), "month"),
    **dict.fromkeys(("quarter", "quarters", "kvartal", "kvartalet"), "quarter"),
    **dict.fromkeys(("year", "years", "år", "året"), "year"),
}  # fmt: skip


_NUMBER, _UNIT = rf"(?:\d{{1,2}}|{any_of(NUMBERS)})", any_of(_UNITS)
_DAY_EN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY_SV = r"(?:mån|tis|ons|tors|fre|lör|sön)dag"
_PART_OF_DAY = r"(?:\s(?:morning|afternoon|evening|night)s?|s(?:kväll|morgon|förmiddag|eftermiddag)\w*)?"
_WEEKDAY = rf"(?:{_DAY_EN}|{_DAY_SV})"
_SOME_DAYS = (
    rf"{_WEEKDAY}{_PART_OF_DAY}(?:(?:,| and| or|,? och| eller) (?:on |på )?{_WEEKDAY}{_PART_OF_DAY})*"
)
_MANY = rf"(?:{_DAY_EN}(?:s| mornings| afternoons| evenings| nights)|{_DAY_SV}(?:ar(?:na)?|s(?:kvällar|morgnar|förmiddagar|eftermiddagar)(?:na)?))"

_EACH_OTHER = re.compile(
    rf"\b(?:every (?:other|second)|varannan|vartannat) (?:(?P<days>{_SOME_DAYS})|(?P<unit>{_UNIT})\b)"
)
_EACH_NTH = re.compile(
    rf"\b(?:every (?P<count>{_NUMBER}|{any_of(_NTH)})|(?:var|vart) (?P<nth>{any_of(_NTH)})) (?P<unit>{_UNIT})\b"
)
_EACH = re.compile(
    rf"\b(?:every(?: single)?|each|varje|var) (?:(?P<days>{_SOME_DAYS})|(?P<workday>weekday|vardag)\b|(?P<unit>{_UNIT})\b)"
)
_ON_DAYS = re.compile(rf"\b{_MANY}(?:(?:,| and|,? och) (?:on |på )?{_MANY})*\b")
_WORK_OR_REST = re.compile(
    r"\b(?:on |at |om )?(?:(?P<work>weekdays|vardagar(?:na)?)|(?P<rest>weekends|(?<=på )helger(?:na)?|(?<=om )helgerna))\b"
)
_TIMES_A = re.compile(
    r"\b(?:once|twice|times|one|two|gång|gånger|en|ett|två|\d)(?: tablet| pill| dose| tablett| kapsel)? (?:a|per|each|i|om) (?P<unit>hour|day|week|month|year|timmen|timme|dag|dagen|vecka|veckan|månad|månaden|år|året)\b"
)
_OFTEN = re.compile(
    r"\b(?P<day>daily|nightly|dagligen|most (?:nights|days|mornings|evenings)|(?:in|at) the (?:mornings|evenings|afternoons)"
    r"|(?:de )?flesta (?:kvällar|dagar|morgnar|nätter)(?:na)?|på (?:kvällarna|morgnarna|mornarna|nätterna|dagarna|eftermiddagarna))\b"
    r"|\b(?P<week>weekly|veckovis|per (?:week|vecka))\b|\b(?P<month>monthly|per (?:month|månad))\b|\b(?P<year>yearly|annually|årligen)\b"
)

_MONTH_NAME = any_of(MONTHS)
_ISO = re.compile(r"\b(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DAY_MONTH = re.compile(
    rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th|:?e|:?a)?\s+(?:of\s+)?(?P<month>{_MONTH_NAME})\b(?:\s+(?P<year>20\d\d))?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH_NAME})\.?\s+(?:the\s+)?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?![:.]\d)(?:,?\s+(?P<year>20\d\d))?"
)
_SLASHED = re.compile(r"(?<![\d/])(?P<day>[0-3]?\d)/(?P<month>1[0-2]|0?[1-9])(?![\d/])")
_DAY_ALONE = re.compile(
    r"\b(?:(?:on|by|before|for|until|till) the (?P<day>[0-3]?\d)(?:st|nd|rd|th)|den (?P<dag>[0-3]?\d)(?::?[ea])?)\b(?!\s*(?:%|kr))"
)
_NAMED = re.compile(
    r"\b(?:(?P<two>day after tomorrow|i ?övermorgon)|(?P<one>tomorrow|i ?morgon(?!ens)|i ?morron)"
    r"|(?P<none>today|tonight|this (?:morning|afternoon|evening)|i ?dag|i ?kväll|i (?:natt|eftermiddag|förmiddag)))\b"
)
_IN = re.compile(
    rf"\b(?:in|om)(?: about| ungefär)? (?P<count>{_NUMBER}) (?P<unit>days?|weeks?|months?|dag(?:ar)?|vecko?[ar]?|månad(?:er)?)\b|\b(?P<fortnight>in a fortnight)\b"
)
_WEEKEND = re.compile(
    r"\b(?:(?P<next>next weekend|nästa helg)|(?:this|the|at the|coming) weekend|(?:i|till|nu i) helgen)\b"
)
#: "the second Monday": which of a month's Mondays
_PLACE = {word: number - 1 for word, number in ORDINALS.items() if 1 <= number <= 4} | {
    "last": -1,
    "sista": -1,
}
_IN_MONTH = re.compile(
    rf"\b(?P<place>{any_of(_PLACE)}) (?P<day>{_WEEKDAY})(?:en)? (?:of|in|i) (?:(?P<next>next month|nästa månad)|(?:the|this) month|månaden|den här månaden|denna månad)\b"
)
_WEEKDAY_ALONE = re.compile(
    rf"\b(?P<lead>next|nästa|last|past|previous|förra|every|each|varje|varannan|other|i)?\s?\b(?P<day>{_WEEKDAY})(?P<tail>s|en|ar)?\b"
)


def read_coming(text: str, *, language: str, said_at: datetime) -> Coming:
    """Return when something said comes up.

    Args:
        text: as said, English or Swedish.
        language: "en" or "sv"; decides what 12/5 is.
        said_at: in the person's local time; what "tomorrow" is told from.
    """
    lowered = " ".join(text.lower().replace("\u2019", "'").split())
    at = read_times(lowered)
    weekdays, every = read_recurring(lowered)
    if weekdays or every:
        return Coming(at=at, weekdays=weekdays, every=every)
    return Coming(on=_read_day(lowered, language, said_at.date()), at=at)


# --- again and again ------------------------------------------------------------------------------------------------


def read_recurring(text: str) -> tuple[frozenset[int], str | None]:
    """Return the weekdays on which something comes again, and how often; `text` in lower case."""
    if other := _EACH_OTHER.search(text):
        days = _weekdays(other["days"] or "")
        return days, "2 weeks" if days else f"2 {_UNITS[other['unit']]}s"
    if nth := _EACH_NTH.search(text):
        word = nth["count"] or nth["nth"]
        count = int(word) if word.isdigit() else NUMBERS.get(word) or _NTH[word]
        return frozenset(), _times_unit(count, _UNITS[nth["unit"]])
    named = " ".join(match.group() for match in _ON_DAYS.finditer(text))
    if each := _EACH.search(text):
        if each["workday"]:
            return WORKDAYS, None
        return _weekdays(f"{each['days'] or ''} {named}"), "week" if each["days"] else _UNITS[each["unit"]]
    often = _read_often(text)
    if named:
        return _weekdays(named), often if often not in (None, "day") else "week"
    if bounds := _WORK_OR_REST.search(text):
        return (WORKDAYS if bounds["work"] else WEEKEND), None
    return frozenset(), often


def _read_often(text: str) -> str | None:
    if counted := _TIMES_A.search(text):
        return _UNITS[counted["unit"]]
    often = _OFTEN.search(text)
    return often.lastgroup if often else None


def _times_unit(count: int, unit: str) -> str:
    return unit if count == 1 else f"{count} {unit}s"


def _weekdays(text: str) -> frozenset[int]:
    return frozenset(WEEKDAYS[match.group()] for match in re.finditer(_WEEKDAY, text))


def read_days(text: str, *, language: str, today: date) -> tuple[date, ...]:
    """Return the calendar days that a text names by number and month, in the order named, each once; of no year the next one.

    Args:
        text: English or Swedish, in lower case.
    """
    return tuple(dict.fromkeys(day for _, day in sorted(_calendar_days(text, language, today))))


# --- one day --------------------------------------------------------------------------------------------------------


def _read_day(text: str, language: str, today: date) -> date | None:
    for _, found in _calendar_days(text, language, today):
        return found
    if within := _IN_MONTH.search(text):
        return _weekday_of_month(within, today)
    if alone := _DAY_ALONE.search(text):
        return _day_of_month(int(alone["day"] or alone["dag"]), today)
    if named := _NAMED.search(text):
        return today + {"two": 2, "one": 1, "none": 0}[str(named.lastgroup)] * DAY
    if ahead := _IN.search(text):
        return _ahead(ahead, today)
    if weekend := _WEEKEND.search(text):
        saturday = today + max(5 - today.weekday(), 0) * DAY
        return (
            (saturday if saturday.weekday() == 5 else saturday - DAY) + 7 * DAY
            if weekend["next"]
            else saturday
        )
    return _coming_weekday(text, today)


def _calendar_days(text: str, language: str, today: date) -> Iterator[tuple[int, date]]:
    """Yield where a calendar day is named and which it is, the most exact patterns first."""
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, *([_SLASHED] if language == "sv" else [])):
        for match in pattern.finditer(text):
            if found := _calendar_day(match, today):
                yield match.start("day"), found


def _calendar_day(match: re.Match[str], today: date) -> date | None:
    """Return the day that is named, of no year the next one; None where there is no such day."""
    name, year = match["month"], match.groupdict().get("year")
    month, day = (int(name) if name.isdigit() else MONTHS[name]), int(match["day"])
    for candidate in [int(year)] if year else range(today.year, today.year + 9):
        try:
            found = date(candidate, month, day)
        except ValueError:  # no such day, or not in a year without a leap day
            continue
        if year or found >= today:
            return found
    return None


def _day_of_month(day: int, today: date) -> date | None:
    for later in range(3):
        month = today.month - 1 + later
        try:
            found = date(today.year + month // 12, month % 12 + 1, day)
        except ValueError:  # the 31st of a shorter month
            continue
        if found >= today:
            return found
    return None


def _weekday_of_month(match: re.Match[str], today: date) -> date:
    """Return "the last Monday of the month": of this one, or of the next where that day is over."""
    found = [_placed(match, today, months_on=months) for months in ((1,) if match["next"] else (0, 1))]
    return next((day for day in found if day >= today), found[-1])


def _placed(match: re.Match[str], today: date, *, months_on: int) -> date:
    month = today.month - 1 + months_on
    first = date(today.year + month // 12, month % 12 + 1, 1)
    days = [day for number in range(31) if (day := first + number * DAY).month == first.month]
    return [day for day in days if day.weekday() == WEEKDAYS[match["day"]]][_PLACE[match["place"]]]


def _ahead(match: re.Match[str], today: date) -> date | None:
    if match["fortnight"]:
        return today + 14 * DAY
    count = int(match["count"]) if match["count"].isdigit() else NUMBERS[match["count"]]
    unit = match["unit"]
    if unit.startswith(("month", "månad")):
        month = today.month - 1 + count
        last = (date(today.year + (month + 1) // 12, (month + 1) % 12 + 1, 1) - DAY).day
        return date(today.year + month // 12, month % 12 + 1, min(today.day, last))
    return today + count * (7 if unit.startswith(("week", "veck")) else 1) * DAY


def _coming_weekday(text: str, today: date) -> date | None:
    for match in _WEEKDAY_ALONE.finditer(text):
        if match["tail"] in ("s", "ar") or match["lead"] not in (None, "next", "nästa"):
            continue
        weekday = WEEKDAYS[match["day"]]
        if match["lead"]:
            return today + (7 - today.weekday() + weekday) * DAY
        return today + ((weekday - today.weekday() - 1) % 7 + 1) * DAY
    return None


#: Where no time is named, so far ahead is meant.
AHEAD = WEEK = 7 * DAY
SATURDAY = 5
_NEXT_WEEK = re.compile(r"\b(?:next week|nästa vecka)\b")


def span_asked_for(
    question: str, *, language: str, now: datetime, ahead: timedelta = AHEAD
) -> tuple[date, date]:
    """Return the first and the last day that a question about what comes up is meant for; none of them lies behind.

    At the weekend little of the week is left: what comes up "this week" is asked of the next one, too.

    Args:
        now: local time.
        ahead: how far, where no time is named.
    """
    today, lowered = now.date(), question.lower()
    if _NEXT_WEEK.search(lowered):
        monday = today + (7 - today.weekday()) * DAY
        return monday, monday + 6 * DAY
    if (day := read_coming(question, language=language, said_at=now).on) is not None:
        return day, day
    spans = [
        tuple(datetime.fromtimestamp(at, now.tzinfo).date() for at in (one.start, one.end))
        for one in find_ranges(question, now=now)
    ]
    late = today.weekday() >= SATURDAY
    ends = [end - DAY + (WEEK if late and end - start == WEEK else timedelta()) for start, end in spans]
    return today, max((end for end in ends if end >= today), default=today + ahead)


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
