"""From bytes to measures of days; whatever is wrong is refused with its place and what would be right, never with what was sent."""

import json
import re
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from companion_site.accounts.strict_json import BadJson, load_json
from memory.inbound.measures.errors import MeasuresRefused, MeasuresTooLarge
from memory.student.life.limits import NotInRange
from memory.student.life.metrics import OLDEST_DAYS, RANGES, Name, check_day, check_value

MOST_DAYS, MOST_BYTES = 31, 64_000
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _written(value: Any) -> Any:
    """Let a day pass only as it is written; a number of seconds is none."""
    if not isinstance(value, str) or not DAY.fullmatch(value):
        raise ValueError("give the day as 2026-03-02")
    return value


def _number(value: Any) -> Any:
    """Let a number pass only as a number: neither "7" nor true."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("give a number")
    return value


Day = Annotated[date, BeforeValidator(_written)]
Number = Annotated[float, BeforeValidator(_number)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class MeasuredDay(Part):
    """What was measured of one day; at least one of them."""

    day: Day
    sleep_hours: Number | None = None
    steps: Number | None = None
    active_minutes: Number | None = None
    resting_pulse: Number | None = None

    @property
    def values(self) -> dict[str, float]:
        given = {str(name): getattr(self, name) for name in Name}
        return {name: value for name, value in given.items() if value is not None}


class Measured(Part):
    """What is sent at once."""

    id: UUID
    days: Annotated[list[MeasuredDay], Field(min_length=1, max_length=MOST_DAYS)]


class Reported:
    """Measures with the bytes that they are compared by when their id comes again."""

    def __init__(self, measured: Measured, given: dict[str, Any]) -> None:
        self.measured = measured
        compared = {**given, "id": str(measured.id)}
        self.identity = json.dumps(
            compared, sort_keys=True, ensure_ascii=False, separators=(",", ":")
        ).encode()


def parse_measures(raw: bytes, *, now: datetime) -> Reported:
    """Return the measures of a request's body.

    Raises:
        MeasuresTooLarge, MeasuresRefused.
    """
    if len(raw) > MOST_BYTES:
        raise MeasuresTooLarge()
    given = _load(raw)
    days = given.get("days")
    if isinstance(days, list) and len(days) > MOST_DAYS:
        raise MeasuresTooLarge()
    try:
        measured = Measured.model_validate(given)
    except ValidationError as error:
        raise MeasuresRefused(_tell(error)) from None
    for place, one in enumerate(measured.days):
        _check(place, one, now=now)
    if len({one.day for one in measured.days}) < len(measured.days):
        raise MeasuresRefused("days: each day once.")
    return Reported(measured, given)


def _load(raw: bytes) -> dict[str, Any]:
    try:
        given = load_json(raw)
    except BadJson as error:
        raise MeasuresRefused(str(error)) from None
    if not isinstance(given, dict):
        raise MeasuresRefused("Measures are a JSON object.")
    return given


def _check(place: int, one: MeasuredDay, *, now: datetime) -> None:
    """Refuse what cannot be right of one day."""
    try:
        check_day(one.day, now=now)
    except NotInRange:
        raise MeasuresRefused(
            f"days.{place}.day: not ahead of today, and at most {OLDEST_DAYS} days ago."
        ) from None
    if not one.values:
        raise MeasuresRefused(f"days.{place}: at least one of {', '.join(Name.values)}.")
    for name, value in one.values.items():
        try:
            check_value(name, value)
        except NotInRange:
            least, most = RANGES[name]
            raise MeasuresRefused(
                f"days.{place}.{name}: {least} to {most}, without a fraction but for sleep_hours."
            ) from None


def _tell(error: ValidationError) -> str:
    """Return the first thing that is wrong: where, by our own names for it, and what is expected there."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = [str(part) for part in first["loc"] if isinstance(part, int) or part in NAMES]
    return f"{'.'.join(known) or 'measures'}: {first['msg']}"


#: names that may be repeated to the sender; those of their own making are not
NAMES = {*Measured.model_fields, *MeasuredDay.model_fields}
