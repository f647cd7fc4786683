"""Explicit dates in a question, English and Swedish, as ranges of time. Pure: `now` comes in, nothing is guessed.

Only what is written counts: a day, a month, a season or a year, alone or relative to `now` ("last week",
"i somras", "three days ago", "the week before 4 October 2023"). A month or season without a year is the latest one
that has begun. A month's name alone must follow a word of time ("in May", "i maj"), since "may" and "mars" are
words of their own. Clock times and purely numeric dates other than ISO 8601 (7/5 is two different days) are left out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True)
class DateRange:
    """A span of time, `start` included and `end` not, in seconds since the epoch."""

    start: float
    end: float


def _numbered(*names: str, first: int = 1) -> dict[str, int]:
    return {name: number for number, group in enumerate(names, first) for name in group.split()}


MONTHS = _numbered(
    "january jan januari", "february feb februari", "march mar mars", "april apr", "may maj", "june jun juni",
    "july jul juli", "august aug augusti", "september sep sept", "october oct oktober okt", "november nov",
    "december dec",
)  # fmt: skip
WEEKDAYS = _numbered(
    "monday måndag måndags måndagen", "tuesday tisdag tisdags tisdagen", "wednesday onsdag onsdags onsdagen",
    "thursday torsdag torsdags torsdagen", "friday fredag fredags fredagen", "saturday lördag lördags lördagen",
    "sunday söndag söndags söndagen", first=0,
)  # fmt: skip
#: First month of a season, of the northern half of the world; winter runs into the next year.
SEASONS = {
    **dict.fromkeys(("spring", "vår", "våren", "våras"), 3),
    **dict.fromkeys(("summer", "sommar", "sommaren", "somras"), 6),
    **dict.fromkeys(("autumn", "fall", "höst", "hösten", "höstas"), 9),
    **dict.fromkeys(("winter", "vinter", "vintern", "vintras"), 12),
}
COUNTS = {
    **_numbered("a an one en ett", "two två couple par", "three tre", "four fyra", "five fem", "six sex"),
    **_numbered("seven sju", "eight åtta", "nine nio", "ten tio", first=7),
}
UNIT_DAYS = {
    **dict.fromkeys(("day", "days", "dag", "dagar"), 1),
    **dict.fromkeys(("week", "weeks", "vecka", "veckor"), 7),
    **dict.fromkeys(("month", "months", "månad", "månader"), 30),
    **dict.fromkeys(("year", "years", "år"), 365),
}
PARTS = {
    **dict.fromkeys(("early", "beginning", "start", "början"), (0.0, 0.4)),
    **dict.fromkeys(("mid", "middle", "mitten"), (0.3, 0.7)),
    **dict.fromkeys(("late", "end", "slutet"), (0.6, 1.0)),
}


def any_of(names: Iterable[str]) -> str:
    """Return the alternatives of a pattern that finds any of some names, the longest first."""
    return "|".join(sorted(names, key=len, reverse=True))


_MONTH, _WEEKDAY, _SEASON = any_of(MONTHS), any_of(WEEKDAYS), any_of(SEASONS)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ORDINAL = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|:?e|:?a)?"
_TIME_WORD = r"(?:in|during|since|of|by|for|until|last|this|late|early|mid|i|under|sedan|från|förra|till|av)"

_ISO = re.compile(rf"\b{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DAY_FIRST = re.compile(rf"\b{_ORDINAL}\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?,?(?:\s+(?:of\s+)?{_YEAR})?")
_MONTH_FIRST = re.compile(rf"\b(?P<month>{_MONTH})\.?\s+(?:the\s+)?{_ORDINAL}\b(?!\d)(?:,?\s+{_YEAR}\b)?")
_MONTH_YEAR = re.compile(rf"\b(?P<month>{_MONTH}),?\s+(?:of\s+)?{_YEAR}\b")
_MONTH_ALONE = re.compile(rf"\b{_TIME_WORD}\s+(?:the\s+month\s+of\s+)?(?P<month>{_MONTH})\b")
_SEASON_YEAR = re.compile(rf"\b(?P<season>{_SEASON})\s+(?:of\s+|in\s+)?{_YEAR}\b")
_SEASON_ALONE = re.compile(
    rf"\b(?:(?:last|this|the|in|during|i|under|förra|denna)\s+)(?P<season>{_SEASON})\b(?!\s+(?:for|asleep|into|apart))"
)
_YEAR_ALONE = re.compile(rf"\b(?:in|during|of|since|år|under|sedan|från)\s+{_YEAR}\b")
_AGO = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{any_of(COUNTS)})\s+(?:of\s+)?(?P<unit>{any_of(UNIT_DAYS)})\s+(?:ago|sedan)\b"
)
_LAST_UNIT = re.compile(
    r"\b(?P<which>last|past|this|previous|förra|senaste|denna|den här)\s+(?P<unit>week(?:end)?|month|year|veckan|helgen|månaden|året)\b"
)
_LAST_DAY = re.compile(rf"\b(?:last|on|i|förra|på)\s+(?P<weekday>{_WEEKDAY})\b")
_NAMED = re.compile(
    r"\b(?:(?P<d2>day before yesterday|i förrgår|förrgår)|(?P<d1>yesterday|last night|i går|igår)"
    r"|(?P<d0>today|tonight|this morning|idag|i dag|i morse|ikväll)|(?P<weekend>i helgen|i helgs)|(?P<year1>i fjol))\b"
)
#: Looked for just before a date: "the week before", "the Saturday after", "veckan före", "end of", "i slutet av".
_BEFORE = re.compile(
    r"(?:week(?:end)?|days?|\w+day|veckan|helgen|dagarna|\w+dagen)\s+"
    r"(?P<side>before|after|following|of|före|innan|efter)\s+(?:the\s+|den\s+)?$"
)
_PART = re.compile(rf"\b(?P<part>{any_of(PARTS)})(?:\s+|-)(?:of\s+|av\s+)?(?:the\s+)?$")

Span = tuple[datetime, datetime]


def find_ranges(text: str, *, now: datetime) -> tuple[DateRange, ...]:
    """Return the spans of time that a question names, in the order found, each once.

    Args:
        text: the question as written.
        now: what relative words refer to; its time zone (UTC if it has none) places the days.

    Returns:
        Ranges, most often none or one. The longest reading of a place wins ("7 May 2023" is not also "2023").
    """
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    lowered = text.lower()
    taken: list[tuple[int, int]] = []
    found: list[DateRange] = []
    for match, span in _readings(lowered, now):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        taken.append(match.span())
        start, end = _around(lowered[: match.start()], span)
        found.append(DateRange(start.timestamp(), end.timestamp()))
    return tuple(dict.fromkeys(found))


def are_apart(one: Iterable[DateRange], other: Iterable[DateRange]) -> bool:
    """Tell whether two tell of different days: both name some, and none is within the other's."""
    pairs = [(left, right) for left in one for right in other]
    return bool(pairs) and all(left.end <= right.start or right.end <= left.start for left, right in pairs)


def _readings(text: str, now: datetime) -> Iterator[tuple[re.Match[str], Span]]:
    """Yield every place that reads as a time, the most exact patterns first."""
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            span = read(match, now)
            if span is not None:
                yield match, span


def _around(before: str, span: Span) -> Span:
    """Return `span` as moved by the words before it ("the week before", "end of")."""
    start, end = span
    if part := _PART.search(before):
        low, high = PARTS[part["part"]]
        return start + low * (end - start), start + high * (end - start)
    if beside := _BEFORE.search(before):
        if beside["side"] in ("before", "före", "innan"):
            return start - 8 * DAY, start + DAY
        return (start - 3 * DAY, end + 4 * DAY) if beside["side"] == "of" else (end - DAY, end + 8 * DAY)
    return span


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _latest(month: int, day: int, now: datetime) -> int:
    """Return the year of the latest such day that has begun."""
    return now.year if (month, day) <= (now.month, now.day) else now.year - 1


def _read_day(match: re.Match[str], now: datetime) -> Span | None:
    name = match["month"]
    month, day = (int(name) if name.isdigit() else MONTHS[name]), int(match["day"])
    year = int(match["year"]) if match["year"] else _latest(month, day, now)
    try:
        start = _midnight(now).replace(year=year, month=month, day=day)
    except ValueError:  # the 31st of February is no day; the month still is
        return None
    return start, start + DAY


def _months(year: int, month: int, count: int, now: datetime) -> Span:
    start = _midnight(now).replace(year=year, month=month, day=1)
    last = month - 1 + count
    return start, start.replace(year=year + last // 12, month=last % 12 + 1)


def _read_month(match: re.Match[str], now: datetime) -> Span:
    month = MONTHS[match["month"]]
    year = match.groupdict().get("year")
    return _months(int(year) if year else _latest(month, 1, now), month, 1, now)


def _read_season(match: re.Match[str], now: datetime) -> Span:
    month = SEASONS[match["season"]]
    year = match.groupdict().get("year")
    return _months(int(year) if year else _latest(month, 1, now), month, 3, now)


def _read_year(match: re.Match[str], now: datetime) -> Span:
    return _months(int(match["year"]), 1, 12, now)


def _read_ago(match: re.Match[str], now: datetime) -> Span:
    count = int(match["count"]) if match["count"].isdigit() else COUNTS[match["count"]]
    unit = UNIT_DAYS[match["unit"]]
    middle = _midnight(now) - min(count * unit, 365 * 100) * DAY
    slack = (unit // 2) * DAY
    return middle - slack, middle + slack + DAY


def _read_last_unit(match: re.Match[str], now: datetime) -> Span:
    today, unit = _midnight(now), match["unit"]
    back = 0 if match["which"] in ("this", "denna", "den här") else 1
    if unit in ("week", "veckan"):
        start = today - (today.weekday() + 7 * back) * DAY
        return start, start + 7 * DAY
    if unit in ("weekend", "helgen"):
        return _weekend(today)
    if unit in ("month", "månaden"):
        months = today.year * 12 + today.month - 1 - back
        return _months(months // 12, months % 12 + 1, 1, now)
    return _months(today.year - back, 1, 12, now)


def _weekend(today: datetime) -> Span:
    """Return the latest Friday evening to Sunday that has begun."""
    start = today - ((today.weekday() - 4) % 7) * DAY
    return start, start + 3 * DAY


def _read_weekday(match: re.Match[str], now: datetime) -> Span:
    today = _midnight(now)
    start = today - ((today.weekday() - WEEKDAYS[match["weekday"]] - 1) % 7 + 1) * DAY
    return start, start + DAY


def _read_named(match: re.Match[str], now: datetime) -> Span:
    today = _midnight(now)
    if match["weekend"]:
        return _weekend(today)
    if match["year1"]:
        return _months(today.year - 1, 1, 12, now)
    start = today - (2 if match["d2"] else 1 if match["d1"] else 0) * DAY
    return start, start + DAY


_READERS = (
    (_ISO, _read_day),
    (_DAY_FIRST, _read_day),
    (_MONTH_YEAR, _read_month),
    (_MONTH_FIRST, _read_day),
    (_SEASON_YEAR, _read_season),
    (_AGO, _read_ago),
    (_NAMED, _read_named),
    (_LAST_UNIT, _read_last_unit),
    (_LAST_DAY, _read_weekday),
    (_MONTH_ALONE, _read_month),
    (_SEASON_ALONE, _read_season),
    (_YEAR_ALONE, _read_year),
)
