"""Reading a SIE file of type 1 to 4: record after record, each checked; labels that are not known are passed over.

Source: the SIE group's specification of the file format, version 4B.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NoReturn

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.company.errors import SieRefused
from memory.company.live.sie.records import CLOSE, OPEN, Checksum, Record, decode, read_records
from memory.company.params import LIVE

#: an amount by year (0 is this one, -1 the last) and account
Balances = dict[tuple[int, str], Decimal]
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
#: at least one of them stands in every file
HEADER = {"#FLAGGA", "#SIETYP", "#PROGRAM", "#FORMAT"}
ROWS = {"#TRANS", "#RTRANS", "#BTRANS"}


@dataclass
class Account:
    """An account of the plan: T assets, S debts and equity, K costs, I income."""

    number: str
    name: str = ""
    type: str = ""


@dataclass
class Voucher:
    """One voucher with its rows: accounts and amounts, debit above zero."""

    line: int
    date: date
    series: str = ""
    number: str = ""
    text: str = ""
    rows: list[tuple[str, Decimal]] = field(default_factory=list)


@dataclass
class Books:
    """A file, read whole."""

    encoding: str = ""
    type: int = 1
    program: str = ""
    generated: date | None = None
    name: str = ""
    organisation_number: str = ""
    currency: str = "SEK"
    #: the last day that the balances cover, where the file says so
    covers_until: date | None = None
    years: dict[int, tuple[date, date]] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    opening: Balances = field(default_factory=dict)
    closing: Balances = field(default_factory=dict)
    results: Balances = field(default_factory=dict)
    #: by year, month as (year, month), and account; of all objects together
    months: dict[tuple[int, tuple[int, int], str], Decimal] = field(default_factory=dict)
    dimensions: dict[str, str] = field(default_factory=dict)
    object_names: dict[tuple[str, str], str] = field(default_factory=dict)
    vouchers: list[Voucher] = field(default_factory=list)


def read_words(record: Record, place: int, *, needed: str | Promise = NOT_NEEDED) -> str:
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


def read_account(record: Record, place: int) -> str:
    number = read_words(record, place, needed=ACCOUNT_FIELD)
    if not ACCOUNT.fullmatch(number):
        _refuse(record, _("an account is a number"))
    return number


def read_amount(record: Record, place: int) -> Decimal:
    """Return an amount exactly, a comma read as a point."""
    digits = read_words(record, place, needed=AMOUNT_FIELD)
    if not AMOUNT.fullmatch(digits) or not any(map(str.isdigit, digits)):
        _refuse(
            record, _("an amount is a number with a point, such as -1234.50, and below 10,000,000,000,000")
        )
    return Decimal(digits.replace(",", "."))


def read_year(record: Record, place: int) -> int:
    """Return which year: 0 for this one, -1 for the last."""
    index = read_words(record, place, needed=YEAR_FIELD)
    if not YEAR.fullmatch(index):
        _refuse(record, _("a year is 0 for the present one, -1 for the one before"))
    return int(index)


def read_day(record: Record, place: int) -> date:
    digits = read_words(record, place, needed=DAY_FIELD)
    found = _as_date(digits) if DAY.fullmatch(digits) else None
    if found is None:
        _refuse(record, _("a day is written as 20260331"))
    return found


def read_month(record: Record, place: int) -> tuple[int, int]:
    digits = read_words(record, place, needed=MONTH_FIELD)
    found = _as_date(digits + "01") if MONTH.fullmatch(digits) else None
    if found is None:
        _refuse(record, _("a month is written as 202603"))
    return found.year, found.month


def read_currency(record: Record, place: int) -> str:
    code = read_words(record, place, needed=CURRENCY_FIELD)
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


def read_sie(raw: bytes) -> Books:
    """Return what a file says.

    Raises:
        SieRefused: with the line, and what to do; nothing of a file that is broken anywhere is used.
    """
    text, encoding = decode(raw)
    reader = _Reader(Books(encoding=encoding.removesuffix("-sig")))
    checksum = Checksum(encoding)
    for record in read_records(text):
        checksum.add(record)
        reader.take(record)
    reader.finish()
    checksum.finish()
    return reader.books


class _Reader:
    """What was read so far, and the voucher that is being read."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self._voucher: Voucher | None = None
        self._inside = False
        self._seen: set[str] = set()

    def take(self, record: Record) -> None:
        self._seen.add(record.label)
        if record.label in (OPEN, CLOSE):
            self._take_brace(record)
        elif self._voucher is not None and not self._inside:
            self._refuse_open(self._voucher)
        elif record.label in ROWS:
            self._take_row(record)
        elif self._inside:
            problem = _("a voucher holds rows alone; the one before is not closed. Export the file again.")
            raise SieRefused(problem, line=record.line)
        elif record.label == "#VER":
            self._begin_voucher(record)
        elif record.label in TAKERS:
            TAKERS[record.label](self.books, record)

    def finish(self) -> None:
        if self._voucher is not None:
            self._refuse_open(self._voucher)
        if not self._seen & HEADER:
            raise SieRefused()

    def _begin_voucher(self, record: Record) -> None:
        self._voucher = Voucher(
            line=record.line,
            series=read_words(record, 0),
            number=read_words(record, 1),
            date=read_day(record, 2),
            text=read_words(record, 3),
        )

    def _take_brace(self, record: Record) -> None:
        expected = OPEN if self._voucher is not None and not self._inside else CLOSE if self._inside else None
        if record.label != expected:
            problem = _("a brace stands where none belongs. Export the file again.")
            raise SieRefused(problem, line=record.line)
        self._inside = record.label == OPEN
        if record.label == CLOSE and self._voucher is not None:
            self._end_voucher(self._voucher)

    def _end_voucher(self, voucher: Voucher) -> None:
        if sum((amount for _account, amount in voucher.rows), Decimal()) != 0:
            problem = _(
                "this voucher does not balance: its rows do not sum to zero. Mend it and export again."
            )
            raise SieRefused(problem, line=voucher.line)
        self.books.vouchers.append(voucher)
        self._voucher = None

    def _take_row(self, record: Record) -> None:
        """Take a row of a voucher; of rows that were struck out or added later only the plain twin counts."""
        if self._voucher is None:
            problem = _("a row stands outside of a voucher. Export the file again.")
            raise SieRefused(problem, line=record.line)
        number = read_account(record, 0)
        # The list of objects may not be left out; some programs do all the same.
        listed = len(record.fields) > 1 and isinstance(record.fields[1], tuple)
        amount = read_amount(record, 2 if listed else 1)
        if record.label == "#TRANS":
            self._voucher.rows.append((number, amount))

    def _refuse_open(self, voucher: Voucher) -> None:
        problem = _("this voucher is not whole: the file is cut off or damaged. Export it again.")
        raise SieRefused(problem, line=voucher.line)


def _take_type(books: Books, record: Record) -> None:
    told = read_words(record, 0, needed=TYPE_FIELD)
    if told[:1] not in "1234" or len(told) > 2:
        raise SieRefused(_("only types 1 to 4 can be read. Export SIE type 4."), line=record.line)
    books.type = int(told[0])


def _take_year(books: Books, record: Record) -> None:
    index, first, last = read_year(record, 0), read_day(record, 1), read_day(record, 2)
    if first > last:
        raise SieRefused(_("this year ends before it begins. Mend it and export again."), line=record.line)
    books.years[index] = (first, last)


def _take_account(books: Books, record: Record) -> None:
    number = read_account(record, 0)
    books.accounts.setdefault(number, Account(number)).name = read_words(record, 1)


def _take_account_type(books: Books, record: Record) -> None:
    number = read_account(record, 0)
    books.accounts.setdefault(number, Account(number)).type = read_words(record, 1, needed=TYPE_FIELD).upper()


def _take_balance(balances: Callable[[Books], Balances]) -> Callable[[Books, Record], None]:
    def take(books: Books, record: Record) -> None:
        key = (read_year(record, 0), read_account(record, 1))
        if key in balances(books):
            problem = _("%(label)s of this account and year stands twice. Export the file again.")
            raise SieRefused(problem % {"label": record.label}, line=record.line)
        balances(books)[key] = read_amount(record, 2)

    return take


def _take_month(books: Books, record: Record) -> None:
    """Take the balance of a month; what single objects have of it is part of the whole."""
    key = (read_year(record, 0), read_month(record, 1), read_account(record, 2))
    objects = record.fields[3] if len(record.fields) > 3 else ()
    amount = read_amount(record, 4 if isinstance(objects, tuple) else 3)
    if not objects or not isinstance(objects, tuple):
        books.months[key] = amount


def _take_dimension(books: Books, record: Record) -> None:
    books.dimensions[read_words(record, 0, needed=NUMBER_FIELD)] = read_words(record, 1)


def _take_object(books: Books, record: Record) -> None:
    key = (
        read_words(record, 0, needed=DIMENSION_FIELD),
        read_words(record, 1, needed=NUMBER_FIELD),
    )
    books.object_names[key] = read_words(record, 2)


def _take_currency(books: Books, record: Record) -> None:
    books.currency = read_currency(record, 0)


def _take_words(name: str) -> Callable[[Books, Record], None]:
    return lambda books, record: setattr(books, name, read_words(record, 0))


def _take_day(name: str) -> Callable[[Books, Record], None]:
    return lambda books, record: setattr(books, name, read_day(record, 0))


TAKERS: dict[str, Callable[[Books, Record], None]] = {
    "#SIETYP": _take_type,
    "#PROGRAM": _take_words("program"),
    "#GEN": _take_day("generated"),
    "#FNAMN": _take_words("name"),
    "#ORGNR": _take_words("organisation_number"),
    "#VALUTA": _take_currency,
    "#OMFATTN": _take_day("covers_until"),
    "#RAR": _take_year,
    "#KONTO": _take_account,
    "#KTYP": _take_account_type,
    "#IB": _take_balance(lambda books: books.opening),
    "#UB": _take_balance(lambda books: books.closing),
    "#RES": _take_balance(lambda books: books.results),
    "#PSALDO": _take_month,
    "#DIM": _take_dimension,
    "#UNDERDIM": _take_dimension,
    "#OBJEKT": _take_object,
}
