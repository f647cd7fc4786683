"""Times of day as they are said, English and Swedish. Pure: which half of the day is told by the words beside an hour.

An hour alone from one to six is taken for the afternoon unless a word of the morning stands by it, as people mean it; written with a
leading zero or beside "am" it is what it says.
"""

import re
from collections.abc import Iterator
from datetime import time

from memory.algorithms.dates import COUNTS

NUMBERS = COUNTS | {"eleven": 11, "twelve": 12, "elva": 11, "tolv": 12}

_MORNING = r"(?:morning|breakfast|a\.m\.|morgon(?:en)?|morgnar|frukosten?|förmiddag(?:en)?|getting up|(?:get|wake|gets|wakes) up|(?:går|gå|stiger|stiga) (?:jag |vi )?upp|vaknar)"
_EVENING = r"(?:tonight|evenings?|night|afternoon|dinner|supper|kväll(?:en|ar)?|ikväll|eftermiddag(?:en)?|middagen|to bed|asleep|be home|vara hemma|lägga mig|lägger mig|somnar?)"
_PART = re.compile(
    rf"(?P<morning>(?<!\w){_MORNING}(?!\w))|(?P<evening>(?:(?<!\w)|s(?=kväll)){_EVENING}(?!\w))"
)
_NO_UNIT = r"(?!\s*(?:%|kr\b|kronor|km|kg|mg|m\b|euro|dollars?|points?|poäng|years?|år\b|hours?|timmar|minut|weeks?|days?|people|times|gånger))"
_CLOCK_WORD = "|".join(
    word
    for word, number in NUMBERS.items()
    if 1 <= number <= 12 and word not in ("a", "an", "couple", "par", "en")
)
_HOUR = rf"(?:\d{{1,2}}|{_CLOCK_WORD})"
_AFTER_HOUR = r"(?=\s*(?:$|[.,;!?)]|o'clock|sharp|tonight|tomorrow|today|this|in the|on|every|each|and|or|for|with|to|because|prick|i|på|imorgon|ikväll|idag|varje|och|eller|för|med|innan|before))"
_EXACT = re.compile(
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?![\d:.,]\d)\s?(?P<half>[ap]\.?m\b\.?)?"
    + _NO_UNIT
)
_AM_PM = re.compile(r"(?<![\d:.,])(?P<hour>1[0-2]|[1-9]) ?(?P<half>[ap]\.?m\b\.?)")
_PAST_TO = re.compile(
    rf"\b(?P<part>half|quarter|kvart|tjugo|fem|tio|ten|five|twenty) (?P<side>past|to|över|i) (?P<hour>{_HOUR})\b"
)
_HALF = re.compile(rf"\bhalv (?P<hour>{_HOUR})\b")
_LED = re.compile(
    rf"\b(?:klockan|kl\.?) ?(?P<hour>{_HOUR})\b(?![:.]\d)|\b(?:at|around|about|by|vid|runt) (?P<bare>{_HOUR})\b(?![:.]\d){_AFTER_HOUR}"
    + _NO_UNIT
)
_ALSO = re.compile(
    rf"^(?: in the \w+| på \w+en)? (?:and|or|och|eller) (?:at |klockan |kl\.? ?)?(?P<hour>{_HOUR})\b(?![:.]\d){_AFTER_HOUR}"
    + _NO_UNIT
)
_NOON = re.compile(r"\b(?:(?P<noon>noon|midday)|(?P<midnight>midnight|midnatt))\b")
_MINUTES = {
    "half": 30,
    "quarter": 15,
    "kvart": 15,
    "tjugo": 20,
    "twenty": 20,
    "tio": 10,
    "ten": 10,
    "fem": 5,
    "five": 5,
}


def read_times(text: str) -> tuple[time, ...]:
    """Return the times of day that a text names, the earliest first.

    Args:
        text: lowered, words parted by single spaces.
    """
    return tuple(sorted(set(_times(text))))


def _times(text: str) -> Iterator[time]:
    """Yield every time of day; of what overlaps, the more exact."""
    taken: list[tuple[int, int]] = []
    for pattern in (_EXACT, _AM_PM, _PAST_TO, _HALF, _LED):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            yield from _clock(match, text)
            also = _ALSO.match(text[match.end() :]) if pattern in (_LED, _EXACT) else None
            if also:
                rest = text[match.end() + also.end() :]
                yield _of_the_day(_hour(also["hour"]) % 24, 0, None, also["hour"], rest, text)
    for named in _NOON.finditer(text):
        yield time(12) if named["noon"] else time(0)


def _clock(match: re.Match[str], text: str) -> Iterator[time]:
    parts = match.groupdict()
    written = str(parts.get("hour") or parts.get("bare"))
    hour, minute = _hour(written), int(parts.get("minute") or 0)
    if match.re is _HALF:
        hour, minute = hour - 1 or 12, 30
    elif match.re is _PAST_TO:
        minute = _MINUTES[str(parts["part"])]
        if parts["side"] in ("to", "i"):
            hour, minute = hour - 1 or 12, 60 - minute
    if hour <= 24:
        yield _of_the_day(
            hour % 24 if hour != 12 else 12, minute, parts.get("half"), written, text[match.end() :], text
        )


def _hour(written: str) -> int:
    return int(written) if written.isdigit() else NUMBERS[written]


def _of_the_day(hour: int, minute: int, half: str | None, written: str, after: str, text: str) -> time:
    """Return the time meant by an hour of the clock's face, from the words beside it."""
    if half:
        return time(hour % 12 + (12 if half.startswith("p") else 0), minute)
    if hour > 12 or hour == 0 or written.startswith("0"):
        return time(hour, minute)
    part = _part_of_day(after[:28]) or _part_of_day(text)
    if part == "evening" and hour < 12:
        return time(hour + 12, minute)
    if part is None and hour < 7:
        return time(hour + 12, minute)
    return time(hour, minute)


def _part_of_day(text: str) -> str | None:
    """Return the one part of the day that a text speaks of."""
    found = {match.lastgroup for match in _PART.finditer(text)}
    return found.pop() if len(found) == 1 else None
