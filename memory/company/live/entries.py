"""A key figure and a deadline on their way in; whatever exists as one of these is within bounds."""

from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from memory.company.params import LIVE

#: lower-case words, joined by "_" and "-"
KEY = r"[a-z0-9]+(?:[_-][a-z0-9]+)*"
PLACES = Decimal("0.0001")
#: digits of a number as text: no exponent can make it grow
MOST_DIGITS = 24


def _is_speakable(words: str) -> str:
    """Keep words to one line, and brackets out of them: they are told to the model inside a bracketed block."""
    if not words.isprintable():
        raise ValueError("one line of printable characters is expected")
    return words.translate({ord("["): "(", ord("]"): ")"})


def _read_number(given: Any) -> Decimal:
    """Return a number given as one or as its digits, exactly; a fraction of binary digits has none of its own."""
    if isinstance(given, bool) or not isinstance(given, int | str | Decimal):
        raise ValueError("a number is expected")
    if isinstance(given, str) and len(given) > MOST_DIGITS:
        raise ValueError("a number of fewer digits is expected")
    try:
        number = Decimal(given)
    except InvalidOperation:
        raise ValueError("a number with a point is expected, such as 1234.50") from None
    if not number.is_finite() or not -LIVE.most_value < number < LIVE.most_value:
        raise ValueError(f"a number below {LIVE.most_value:,} is expected")
    if number.as_tuple().exponent < -4 and number != number.quantize(PLACES):  # type: ignore[operator]  # finite
        raise ValueError("at most 4 decimals are expected")
    return number.quantize(PLACES) + 0


def _read_day(given: Any) -> date:
    """Return a day given as one or as "2026-03-02"."""
    try:
        day = given if type(given) is date else date.fromisoformat(given)
    except (TypeError, ValueError):
        raise ValueError('a day is expected, such as "2026-03-02"') from None
    if not LIVE.earliest <= day <= LIVE.latest:
        raise ValueError(f"a day from {LIVE.earliest} to {LIVE.latest} is expected")
    return day


Key = Annotated[str, StringConstraints(max_length=64, pattern=rf"^{KEY}$")]
Label = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_is_speakable)
]
Unit = Annotated[str, StringConstraints(strip_whitespace=True, max_length=16), AfterValidator(_is_speakable)]
Number = Annotated[Decimal, BeforeValidator(_read_number)]
Day = Annotated[date, BeforeValidator(_read_day)]


class Entry(BaseModel):
    """What both have in common: a key, by which the same thing is known again, and what it is called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: Key
    label: Label = ""


class KpiEntry(Entry):
    """A figure as it stood at the end of a day."""

    value: Number
    unit: Unit = ""
    as_of: Day


class DeadlineEntry(Entry):
    """A day by which something is due, and whether it is done."""

    due_on: Day
    done: Annotated[bool, Field(strict=True)] = False
