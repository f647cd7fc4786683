"""The measures API: what a person's own device measured of their days, sealed to the person, all of it or nothing.

Whatever is wrong is refused with its place and what would be right, never with what was sent. Nothing of a body is logged.
"""

import re
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from pydantic import BeforeValidator, Field

from companion_site.accounts.models import Person
from companion_site.accounts.system_requests import RequestRefused, answer_in_json, authenticate_device
from companion_site.vault.inbox import pending_boxes
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.inbound.bodies import Inlet, Reported
from memory.inbound.contents import DayMeasures, Measures, Part
from memory.student.life.limits import NotInRange
from memory.student.life.metrics import OLDEST_DAYS, RANGES, Name, check_day, check_value

logger = structlog.get_logger(__name__)

MOST_DAYS, MOST_BYTES = 31, 64_000
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
#: So many boxes of measures wait at most for a person who does not log in: one a day, for a year.
MOST_WAITING = 400


def _written(value: Any) -> Any:
    """Let a day pass only as it is written; a number of seconds is none."""
    if not isinstance(value, str) or not DAY.fullmatch(value):
        raise ValueError("give the day as 2026-03-02")
    return value


Day = Annotated[date, BeforeValidator(_written)]
Number = Annotated[float, Field(strict=True)]


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


API = Inlet(
    name="measures",
    form=Measured,
    whole="measures",
    names={*Measured.model_fields, *MeasuredDay.model_fields},
    most_bytes=MOST_BYTES,
    bounds=_("Send less at a time: at most 31 days and 64 kB."),
)


def nobody_there() -> RequestRefused:
    told = _("There is nobody to send measures to: log in to the site once, then send again.")
    return API.refused(told, why="nobody-there")


def parse_measures(raw: bytes, *, now: datetime) -> Reported[Measured]:
    """Return the measures of a request's body."""
    given = API.read(raw)
    if not isinstance(given, dict):
        raise API.refused("Measures are a JSON object.")
    days = given.get("days")
    if isinstance(days, list) and len(days) > MOST_DAYS:
        raise API.too_large()
    reported = API.parse(given)
    for place, one in enumerate(reported.said.days):
        _check(place, one, now=now)
    if len({one.day for one in reported.said.days}) < len(reported.said.days):
        raise API.refused("days: each day once.")
    return reported


def _check(place: int, one: MeasuredDay, *, now: datetime) -> None:
    """Refuse what cannot be right of one day."""
    try:
        check_day(one.day, now=now)
    except NotInRange:
        raise API.refused(
            f"days.{place}.day: not ahead of today, and at most {OLDEST_DAYS} days ago."
        ) from None
    if not one.values:
        raise API.refused(f"days.{place}: at least one of {', '.join(Name.values)}.")
    for name, value in one.values.items():
        try:
            check_value(name, value)
        except NotInRange:
            least, most = RANGES[name]
            raise API.refused(
                f"days.{place}.{name}: {least} to {most}, without a fraction but for sleep_hours."
            ) from None


def take_in(person: Person, reported: Reported[Measured], *, now: datetime) -> UUID:
    """Seal measures into their person's space; return their id. Sent again, nothing changes.

    Raises:
        RequestRefused: the person has no space that anything can be sealed to, or has not logged in for long; the id came
            before and said something else.
    """
    measured, space = reported.said, person.space_id
    if space is None or person.role != Person.Role.STUDENT:
        raise nobody_there()
    with space_scope(space):
        came_before = SealedBox.objects.for_space(space).filter(statement_id=measured.id).exists()
    if not came_before and len(pending_boxes(space, kinds=[Measures.kind])) >= MOST_WAITING:
        told = _("Too much waits for the person to log in. Send the rest when they have.")
        raise API.refused(told, why="too-many-waiting", status=429)
    contents = Measures(at=now, days=[DayMeasures(day=one.day, values=one.values) for one in measured.days])
    API.seal(
        space, contents, statement_id=measured.id, identity=reported.identity, nobody=nobody_there(), now=now
    )
    return measured.id


@require_POST
@answer_in_json
def measures(request: HttpRequest) -> HttpResponse:
    """Take in what a person's device measured of some days. Nothing can be read back."""
    person = authenticate_device(request)
    now = timezone.now()
    reported = parse_measures(API.body_of(request), now=now)
    taken = take_in(person, reported, now=now)
    logger.info("measures.taken_in", person=str(person.pk))
    return JsonResponse({"id": str(taken)})
