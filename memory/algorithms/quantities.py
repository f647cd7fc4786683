"""Numbers, times of day and dates as they are written in English and Swedish, read into values that compare.

"120k" and "120 000 kr" are one amount, "kvart över åtta" and "8.15" one time, "8/4" (day first) and "den 8 april" one
date. What two readings have in common decides: "in June" and "11 June" agree, "3 June" and "10 June" do not.
"""

import math
import re
from dataclasses import dataclass

from memory.algorithms.dates import MONTHS as MONTHS
from memory.algorithms.dates import SEASONS as SEASON_MONTHS
from memory.algorithms.dates import WEEKDAYS as WEEKDAY_NAMES
from memory.algorithms.dates import any_of

_UNITS_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_UNITS_SV = "noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton"
_TENS_EN = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS_SV = "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio"
NUMBER_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_UNITS_EN.split())},
    **{word: value for value, word in enumerate(_UNITS_SV.split())},
    **{word: 10 * (value + 2) for value, word in enumerate(_TENS_EN.split())},
    **{word: 10 * (value + 2) for value, word in enumerate(_TENS_SV.split())},
    "hundred": 100,
    "hundra": 100,
    "thousand": 1000,
    "tusen": 1000,
    "dozen": 12,
}
_ORDINAL_WORDS = (
    "ground/bottenvåningen first/första second/andra third/tredje fourth/fjärde fifth/femte sixth/sjätte seventh/sjunde "
    "eighth/åttonde ninth/nionde tenth/tionde eleventh/elfte twelfth/tolfte"
)
ORDINALS: dict[str, int] = {
    form: value for value, pair in enumerate(_ORDINAL_WORDS.split()) for form in pair.split("/")
}
WEEKDAYS: dict[str, int] = {
    name + ending: number
    for name, number in WEEKDAY_NAMES.items()
    if name.endswith(("day", "dag"))
    for ending in ("", "s", "en", "ar", "arna")
}
#: spring is 0
SEASONS: dict[str, int] = {name: month // 3 - 1 for name, month in SEASON_MONTHS.items()}
#: unit: dimension and how many of the dimension's base it is
UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("mm", "millimetres", "millimeter"), ("length", 0.001)),
    **dict.fromkeys(("cm", "centimetres", "centimeters", "centimeter"), ("length", 0.01)),
    **dict.fromkeys(("m", "metres", "meters", "meter", "metre"), ("length", 1.0)),
    **dict.fromkeys(("km", "kilometres", "kilometers", "kilometer"), ("length", 1000.0)),
    **dict.fromkeys(("mil",), ("length", 10_000.0)),
    **dict.fromkeys(("mile", "miles"), ("length", 1609.344)),
    **dict.fromkeys(("g", "grams", "gram"), ("mass", 0.001)),
    **dict.fromkeys(("kg", "kilo", "kilos", "kilogram"), ("mass", 1.0)),
    **dict.fromkeys(
        ("s", "sec", "secs", "seconds", "second", "sek", "sekund", "sekunder"), ("duration", 1.0)
    ),
    **dict.fromkeys(("min", "mins", "minutes", "minute", "minut", "minuter"), ("duration", 60.0)),
    **dict.fromkeys(("h", "hours", "hour", "hrs", "timme", "timmar", "tim"), ("duration", 3600.0)),
    **dict.fromkeys(("day", "days", "dag", "dagar"), ("days", 1.0)),
    **dict.fromkeys(("week", "weeks", "vecka", "veckor"), ("days", 7.0)),
    **dict.fromkeys(("month", "months", "månad", "månader"), ("months", 1.0)),
    **dict.fromkeys(("year", "years", "år"), ("months", 12.0)),
    **dict.fromkeys(("kr", "kronor", "sek", "crowns", "spänn"), ("sek", 1.0)),
    **dict.fromkeys(("£", "pounds", "pound", "quid", "gbp"), ("gbp", 1.0)),
    **dict.fromkeys(("$", "dollars", "dollar", "usd"), ("usd", 1.0)),
    **dict.fromkeys(("€", "euros", "euro", "eur"), ("eur", 1.0)),
    **dict.fromkeys(("%", "percent", "procent"), ("percent", 1.0)),
    **dict.fromkeys(("timesaweek",), ("frequency", 1.0)),
    **dict.fromkeys(("mb", "megabytes"), ("data", 0.001)),
    **dict.fromkeys(("gb", "gigabytes", "gig"), ("data", 1.0)),
    **dict.fromkeys(("tb", "terabytes"), ("data", 1000.0)),
    **dict.fromkeys(("credits", "högskolepoäng", "hp"), ("credits", 1.0)),
    **dict.fromkeys(("times", "gånger", "time", "gång"), ("times", 1.0)),
}
_SCALES = {"k": 1e3, "thousand": 1e3, "tusen": 1e3, "tkr": 1e3, "m": 1e6, "million": 1e6, "miljoner": 1e6, "hundred": 1e2, "hundra": 1e2}  # fmt: skip


#: What stands beside a number without being a word of its own.
UNIT_WORDS = frozenset({*UNITS, *_SCALES, "klockan", "kl", "at"})
_MONEY_DIMENSIONS = frozenset({"sek", "gbp", "usd", "eur"})


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """One value with what it measures: `plain` is a bare number, `clock` minutes after midnight or noon."""

    dimension: str
    amount: float

    def measures_like(self, other: "Quantity") -> bool:
        """Tell whether both measure the same; money may go without its currency."""
        dimensions = {self.dimension, other.dimension}
        return len(dimensions) == 1 or ("plain" in dimensions and bool(dimensions & _MONEY_DIMENSIONS))

    def agrees(self, other: "Quantity") -> bool:
        """Tell whether both say the same amount of the same; money may go without its currency ("120k")."""
        return self.measures_like(other) and math.isclose(self.amount, other.amount, rel_tol=1e-6)


_NUMBER_WORD, _ORDINAL_WORD, _MONTH = any_of(NUMBER_WORDS), any_of(ORDINALS), any_of(MONTHS)
_UNIT = any_of(re.escape(unit) for unit in UNITS if unit not in "£$€%")
_HOUR = rf"(?:[01]?\d|2[0-4]|{_NUMBER_WORD})"

_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DAY_MONTH = re.compile(
    rf"\b(?:(?:the|den)\s)?(?P<day>[0-3]?\d|{_ORDINAL_WORD})(?:st|nd|rd|th|:e|:a|e)?\s(?:of\s)?(?P<month>{_MONTH})\b(?:,?\s(?P<year>(?:19|20)\d\d)\b)?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\s(?:the\s)?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:)(?:,?\s(?P<year>(?:19|20)\d\d)\b)?"
)
_SLASHED = re.compile(
    r"(?<![\d/])(?P<day>[0-3]?\d)/(?P<month>[01]?\d)(?:/(?P<year>(?:19|20)?\d\d))?(?![\d/])"
)
_MONTH_ALONE = re.compile(
    rf"\b(?:in|i(?!\smay\b)|of|during|under|till|by|until|all of|slutet av|början av|mid|late|early)\s(?P<month>{_MONTH})\b"
)
_DAY_ALONE = re.compile(r"\b(?:den|the)\s(?P<day>[0-3]?\d)(?:st|nd|rd|th|:e|:a|e)\b")
_TO_OR_PAST = re.compile(
    rf"\b(?P<part>half|quarter|kvart|\d{{1,2}}|five|ten|twenty|fem|tio|tjugo)\s(?P<side>past|to|över|i)\s(?P<hour>{_HOUR})\b"
)
_HALF = re.compile(rf"\bhalv\s(?P<hour>{_HOUR})\b")
_CLOCK = re.compile(
    r"\b(?:(?:klockan|kl|at)\s)?(?P<hour>[01]?\d|2[0-4])(?P<mark>[:.])(?P<minute>[0-5]\d)\b(?P<half>\s?[ap]\.?m\b\.?)?"
)
_HOUR_ONLY = re.compile(
    rf"\b(?P<lead>at|klockan|kl\.?|until|till|after|efter|before|innan|från|from|by|vid|around|runt)\s(?P<hour>{_HOUR})\b(?!\s?(?:{_UNIT}|[a-zåäö]*\s?years)\b)(?!\.\d|:|\s(?:%|[a-zåäö]+s\b))(?P<half>\s?[ap]\.?m\b\.?|\so'clock)?"
)
#: A bare hour after what has its time of day: "school starts nine", "skolan börjar nio".
_HOUR_OF_ACT = re.compile(
    rf"\b(?P<act>starts?|begins?|ends?|finishes|opens?|closes?|börjar|slutar|startar|öppnar|stänger|vaknar|upp)\s(?P<hour>{_HOUR})\b"
    rf"(?!\s?(?:{_UNIT}|%|[a-zåäö]*\s?years)\b)(?!\.\d|:|\s\d|\s(?!efter\b|after\b)[a-zåäö]+(?:ar|er|or|s)\b)(?P<half>\s?[ap]\.?m\b\.?)?"
)
_PRICED = re.compile(r"\b(?:costs?|kostar|kostade|pay|pays|paid|betalar|price is|priset är)\s$")
_HOUR_MARKED = re.compile(rf"\b(?P<hour>{_HOUR})\s?(?P<half>[ap]\.?m\b\.?|o'clock)")
_MONEY = re.compile(r"(?P<unit>[£$€])\s?(?P<number>\d+(?:[.,]\d+)?)(?P<scale>k|m)?\b")
_AMOUNT = re.compile(
    rf"(?<![\w.])(?P<number>\d{{1,3}}(?:[ \u00a0]\d{{3}})+|\d{{1,3}}(?:,\d{{3}})+|\d+(?:[.,]\d+)?|(?:{_NUMBER_WORD})(?:-(?:{_NUMBER_WORD}))?\b)"
    rf"(?:\s?(?P<scale>thousand|tusen|million|miljoner|hundred|hundra|tkr|k)\b)?(?:\s?(?P<unit>%|(?:{_UNIT})\b))?"
)
#: A class, a room, a level: "8B", "C12".
_CODE = re.compile(
    r"(?<![\w.#@])(?:(?P<number>\d{1,2})(?P<letter>[a-f])|(?P<front>[a-h])(?P<after>\d{1,3}))\b"
)
_FLOOR = re.compile(
    rf"\b(?P<day>{_ORDINAL_WORD})\s(?P<what>floor|våning(?:en)?)\b|\b(?P<ground>bottenvåning(?:en)?)\b"
)
_WORDY = re.compile(r"\s+")
_DIGIT, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]+")
_VALUE_WORDS = frozenset({*NUMBER_WORDS, *ORDINALS, *MONTHS, "bottenvåning", "bottenvåningen"})
_NAMED_TIME = re.compile(rf"(?<![#@\w])(?:{any_of([*WEEKDAYS, *SEASONS])})\b(?!_)")


@dataclass(frozen=True, slots=True)
class When:
    """A date as far as it is said; None is what is left open."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekdays: frozenset[int] | None = None
    season: int | None = None
    clock: float | None = None

    def fields(self) -> dict[str, object]:
        """Return what is said."""
        named = ("year", "month", "day", "weekdays", "season", "clock")
        return {name: getattr(self, name) for name in named if getattr(self, name) is not None}


def _count(word: str) -> float:
    if word in ORDINALS:
        return float(ORDINALS[word])
    total = 0.0
    for part in word.split("-"):
        if part in NUMBER_WORDS:
            total += NUMBER_WORDS[part]
            continue
        plain = part.replace("\u00a0", " ").replace(" ", "")
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+", plain)
        total += float(plain.replace(",", "" if grouped else "."))
    return total


def read_quantities(text: str) -> tuple[str, list[Quantity], When]:
    """Return the text with a token in place of each value (`#` and its number), the values, and the date.

    Args:
        text: casefolded.
    """
    found: list[Quantity] = []
    when: dict[str, float] = {}
    text = _WORDY.sub(" ", text)
    if _has_value(text):
        text = _take_values(text, found, when)
    days: set[int] = set()
    text = _NAMED_TIME.sub(lambda match: _take_name(match, when, days), text)
    clock = when.pop("clock", None)
    whole = {name: int(value) for name, value in when.items()}
    return text, found, When(**whole, weekdays=frozenset(days) or None, clock=clock)


def _has_value(text: str) -> bool:
    """Tell whether a text may have a number or a month at all: most have none, and are not looked through for each form of it."""
    return _DIGIT.search(text) is not None or not _VALUE_WORDS.isdisjoint(_LETTERS.findall(text))


def _take_values(text: str, found: list[Quantity], when: dict[str, float]) -> str:
    """Return the text with a token in place of each number, date and time of day, which are added to `found` and `when`."""
    text = _FLOOR.sub(lambda match: _take_floor(match, found), text)
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _SLASHED, _MONTH_ALONE, _DAY_ALONE):
        text = pattern.sub(lambda match: _take_date(match, when), text)
    for pattern in (_TO_OR_PAST, _HALF, _CLOCK, _HOUR_MARKED, _HOUR_ONLY, _HOUR_OF_ACT):
        text = pattern.sub(lambda match: _take_clock(match, found, when), text)
    text = _CODE.sub(lambda match: _take_code(match, found), text)
    for pattern in (_MONEY, _AMOUNT):
        text = pattern.sub(lambda match: _take_amount(match, found), text)
    return text


def _take_date(match: re.Match[str], when: dict[str, float]) -> str:
    parts = match.groupdict()
    month, day, year = parts.get("month"), parts.get("day"), parts.get("year")
    number = (MONTHS.get(month) or int(month)) if month else None
    date = int(_count(day)) if day else None
    if (number is not None and not 1 <= number <= 12) or (date is not None and not 1 <= date <= 31):
        return match.group()
    for name, value in (("month", number), ("day", date), ("year", int(year) if year else None)):
        if value is not None:
            when.setdefault(name, value)
    return " #date "


def _take_floor(match: re.Match[str], found: list[Quantity]) -> str:
    found.append(Quantity("floor", 0.0 if match["ground"] else _count(match["day"])))
    return " #floor floor "


def _take_clock(match: re.Match[str], found: list[Quantity], when: dict[str, float]) -> str:
    parts = match.groupdict()
    hour = _count(parts["hour"])
    minute = float(parts.get("minute") or 0)
    if match.re is _HALF:
        minute = -30.0
    elif match.re is _TO_OR_PAST:
        part = {"half": 30.0, "quarter": 15.0, "kvart": 15.0}.get(parts["part"]) or _count(parts["part"])
        minute = part if parts["side"] in ("past", "över") else -part
    elif match.re is _CLOCK and parts["mark"] == "." and (_has_unit(match) or _is_price(match)):
        return match.group()
    if hour > 24:
        return match.group()
    clock = (60 * hour + minute) % 720
    found.append(Quantity("clock", clock))
    when.setdefault("clock", clock)
    if "act" in parts:
        return f" {parts['act']} #clock "
    lead = parts.get("lead")
    return f" {lead if lead in ('before', 'innan', 'after', 'efter') else ''} #clock "


def _is_price(match: re.Match[str]) -> bool:
    return _PRICED.search(match.string[: match.start()]) is not None


def _has_unit(match: re.Match[str]) -> bool:
    after = match.string[match.end() : match.end() + 14].strip()
    return re.match(rf"(?:{_UNIT}|%|k)\b", after) is not None or match.string[: match.start()].endswith(
        ("£", "$", "€")
    )


def _take_amount(match: re.Match[str], found: list[Quantity]) -> str:
    unit, scale = match["unit"], match["scale"]
    amount = _count(match["number"]) * _SCALES.get(scale or "", 1.0)
    dimension, size = UNITS.get(unit or "", ("sek" if scale == "tkr" else "plain", 1.0))
    found.append(Quantity(dimension, amount * size))
    return f" #{dimension} "


def _take_code(match: re.Match[str], found: list[Quantity]) -> str:
    front = match["front"]
    letter, number = front or match["letter"], match["after"] or match["number"]
    found.append(Quantity("code", 100.0 * int(number) + ord(letter) - ord("a") + (1e6 if front else 0.0)))
    return " #code "


def _take_name(match: re.Match[str], when: dict[str, float], days: set[int]) -> str:
    word = match.group()
    if word in WEEKDAYS:
        days.add(WEEKDAYS[word])
        return " #weekday "
    if word in SEASONS and (
        word != "vår" or re.search(r"\b(?:i|till|nästa|under)\s$", match.string[: match.start()])
    ):
        when.setdefault("season", SEASONS[word])
        return " #season "
    return word
