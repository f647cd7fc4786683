"""Reading the fields of a record: accounts, amounts, days and years, each within what can be."""

import re
from datetime import date
from decimal import Decimal
from typing import NoReturn

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.company.live.params import LIVE
from memory.company.live.sie.errors import SieRefused
from memory.company.live.sie.records import Record

#: what a field is, for whoever is told that it is missing; translated only then
ACCOUNT_FIELD = gettext_lazy("account")
AMOUNT_FIELD = gettext_lazy("amount")
CURRENCY_FIELD = gettext_lazy("currency")
DAY_FIELD = gettext_lazy("day")
DIMENSION_FIELD = gettext_lazy("dimension")
MONTH_FIELD = gettext_lazy("month")
NUMBER_FIELD = gettext_lazy("number")
TYPE_FIELD = gettext_lazy("type")
YEAR_FIELD = gettext_lazy("year")
NOT_NEEDED = ""
ACCOUNT = re.compile(r"[0-9]{1,10}")
#: below ten trillion: more is no amount of a company that fits on one page of figures
AMOUNT = re.compile(r"[+-]?(?=[0-9.,])[0-9]{0,13}(?:[.,][0-9]{0,6})?")
YEAR = re.compile(r"-?[0-9]{1,2}")
DAY = re.compile(r"[0-9]{8}")
CURRENCY = re.compile(r"[A-Za-z]{3}")
MONTH = re.compile(r"[0-9]{6}")


def words(record: Record, place: int, *, needed: str | Promise = NOT_NEEDED) -> str:
    """Return a field's words; an empty string where it is not there and not needed.

    Args:
        needed: what the field is; without it the record cannot be read.
    """
    value = record.fields[place] if place < len(record.fields) else ""
    if isinstance(value, tuple) or (needed is not NOT_NEEDED and not value.strip()):
        problem = _(
            "%(label)s is without its %(field)s. Export the file again; it may be cut off or damaged."
        )
        raise SieRefused(
            problem % {"label": record.label, "field": needed if needed is not NOT_NEEDED else place + 1},
            line=record.line,
        )
    return value.strip()


def account(record: Record, place: int) -> str:
    number = words(record, place, needed=ACCOUNT_FIELD)
    if not ACCOUNT.fullmatch(number):
        _refuse(record, _("an account is a number"))
    return number


def amount(record: Record, place: int) -> Decimal:
    """Return an amount exactly, a comma read as a point."""
    digits = words(record, place, needed=AMOUNT_FIELD)
    if not AMOUNT.fullmatch(digits) or not any(map(str.isdigit, digits)):
        _refuse(
            record, _("an amount is a number with a point, such as -1234.50, and below 10,000,000,000,000")
        )
    return Decimal(digits.replace(",", "."))


def year(record: Record, place: int) -> int:
    """Return which year: 0 for this one, -1 for the last."""
    index = words(record, place, needed=YEAR_FIELD)
    if not YEAR.fullmatch(index):
        _refuse(record, _("a year is 0 for the present one, -1 for the one before"))
    return int(index)


def day(record: Record, place: int) -> date:
    digits = words(record, place, needed=DAY_FIELD)
    found = _as_date(digits) if DAY.fullmatch(digits) else None
    if found is None:
        _refuse(record, _("a day is written as 20260331"))
    return found


def month(record: Record, place: int) -> tuple[int, int]:
    digits = words(record, place, needed=MONTH_FIELD)
    found = _as_date(digits + "01") if MONTH.fullmatch(digits) else None
    if found is None:
        _refuse(record, _("a month is written as 202603"))
    return found.year, found.month


def currency(record: Record, place: int) -> str:
    code = words(record, place, needed=CURRENCY_FIELD)
    if not CURRENCY.fullmatch(code):
        _refuse(record, _("a currency is three letters, such as SEK"))
    return code.upper()


def _as_date(digits: str) -> date | None:
    try:
        found = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None
    return found if LIVE.earliest <= found <= LIVE.latest else None


def _refuse(record: Record, rule: str) -> NoReturn:
    problem = _("%(label)s cannot be read: %(rule)s. Export the file again.")
    raise SieRefused(problem % {"label": record.label, "rule": rule}, line=record.line)
