"""Moments as people and programs write them, in the time of this site where they name no other."""

import re
from datetime import UTC, date, datetime

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.days import end_of

#: What the calendars of people, Python and PostgreSQL agree on with room to spare.
FIRST, LAST = date(1970, 1, 2), date(2199, 12, 30)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
#: A plus sign that was not written as %2B comes out of an address as a space.
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)\s*(Z|[-+ ]?\d{2}:\d{2})?")


def parse_day(text: str) -> date:
    """Return the day that a text names as year, month and day.

    Raises:
        ValueError: it names none, or one out of range.
    """
    if not _DAY.fullmatch(text):
        raise ValueError(text)
    return _in_range(date.fromisoformat(text))


def parse_moment(text: str) -> datetime:
    """Return the moment that a text names: the end of a day, or a time of it.

    Without an offset it is the time here; an hour that comes twice in autumn is then meant as it comes first.

    Raises:
        ValueError: it names none, or one out of range.
    """
    if _DAY.fullmatch(text):
        return end_of(parse_day(text))
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    moment = datetime.fromisoformat(found[1])
    _in_range(moment.date())
    if not found[2]:
        return timezone.make_aware(moment)
    offset = "+00:00" if found[2] == "Z" else found[2].replace(" ", "+")
    offset = offset if offset[0] in "+-" else f"+{offset}"
    return datetime.fromisoformat(f"{found[1]}{offset}").astimezone(UTC)


def _in_range(day: date) -> date:
    if not FIRST <= day <= LAST:
        raise ValueError(day)
    return day


class DayInput(forms.TextInput):
    """A date picker; it cannot show what is no day."""

    input_type = "date"

    def format_value(self, value):
        return value if _DAY.fullmatch(str(value or "")) else None


class DayField(forms.CharField):
    """A day, as a date picker or a program writes it."""

    widget = DayInput

    def to_python(self, value):
        text = super().to_python(value)
        if not text:
            return None
        try:
            return parse_day(text)
        except ValueError:
            raise ValidationError(
                _("Write a day as year-month-day, such as 2026-03-02."), code="day"
            ) from None


class MomentInput(forms.TextInput):
    """A date and time picker, which shows a moment in the time here; it cannot show what is no moment."""

    input_type = "datetime-local"

    def format_value(self, value):
        try:
            moment = parse_moment(str(value or ""))
        except ValueError:
            return None
        return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M:%S")


class MomentField(forms.CharField):
    """A moment, as a date and time picker or a program writes it."""

    widget = MomentInput(attrs={"step": 1})

    def to_python(self, value):
        text = super().to_python(value)
        if not text:
            return None
        try:
            return parse_moment(text)
        except ValueError:
            raise ValidationError(
                _(
                    "Write a day such as 2026-03-02, or a moment such as 2026-03-02T14:05 or 2026-03-02T14:05:00Z."
                ),
                code="moment",
            ) from None
