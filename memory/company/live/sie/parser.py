"""Reading a SIE file of type 1 to 4 as far as it becomes key figures: record after record, each checked; other labels are passed over.

Source: the SIE group's specification of the file format, version 4B.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.company.errors import SieRefused
from memory.company.live.sie.records import CLOSE, OPEN, Checksum, Record, decode, read_records
from memory.company.params import LIVE

#: an amount by year (0 is this one, -1 the last) and account
Balances = dict[tuple[int, str], Decimal]
#: below ten trillion: more is no amount of a company that fits on one page of figures
DIGITS_OF_AMOUNT = re.compile(r"[+-]?(?=[0-9.,])[0-9]{0,13}(?:[.,][0-9]{0,6})?")
#: at least one of them stands in every file
HEADER = {"#FLAGGA", "#SIETYP", "#PROGRAM", "#FORMAT"}
#: of rows that were struck out or added later only the plain twin counts
ROWS = {"#TRANS", "#RTRANS", "#BTRANS"}


@dataclass
class Books:
    """A file, read whole.

    Attributes:
        covers_until: the last day that the balances cover, where the file says so.
        accounts: the numbers of the plan; accounts without a balance among them.
        vouchers: the day of each.
    """

    encoding: str = ""
    type: int = 1
    program: str = ""
    generated: date | None = None
    name: str = ""
    organisation_number: str = ""
    currency: str = "SEK"
    covers_until: date | None = None
    years: dict[int, tuple[date, date]] = field(default_factory=dict)
    accounts: set[str] = field(default_factory=set)
    opening: Balances = field(default_factory=dict)
    closing: Balances = field(default_factory=dict)
    results: Balances = field(default_factory=dict)
    vouchers: list[date] = field(default_factory=list)


def _matching(pattern: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
    def read_matching(text: str) -> Any:
        if not re.fullmatch(pattern, text):
            raise ValueError(text)
        return read(text)

    return read_matching


def _read_amount(digits: str) -> Decimal:
    if not DIGITS_OF_AMOUNT.fullmatch(digits) or not any(map(str.isdigit, digits)):
        raise ValueError(digits)
    return Decimal(digits.replace(",", "."))


def _read_day(digits: str) -> date:
    found = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    if not LIVE.earliest <= found <= LIVE.latest:
        raise ValueError(digits)
    return found


class Kind(NamedTuple):
    """What a field holds.

    Attributes:
        name: what is missing where it is empty; None: it may be empty.
        rule: how it is written, for whoever wrote it otherwise; translated only then.
        read: raises ValueError.
    """

    name: Promise | None = None
    rule: Promise | str = ""
    read: Callable[[str], Any] = str


WORDS = Kind()
TYPE = Kind(gettext_lazy("type"))
ACCOUNT = Kind(
    gettext_lazy("account"), gettext_lazy("an account is a number"), _matching(r"[0-9]{1,10}", str)
)
AMOUNT = Kind(
    gettext_lazy("amount"),
    gettext_lazy("an amount is a number with a point, such as -1234.50, and below 10,000,000,000,000"),
    _read_amount,
)
YEAR = Kind(
    gettext_lazy("year"),
    gettext_lazy("a year is 0 for the present one, -1 for the one before"),
    _matching(r"-?[0-9]{1,2}", int),
)
DAY = Kind(
    gettext_lazy("day"), gettext_lazy("a day is written as 20260331"), _matching(r"[0-9]{8}", _read_day)
)
CURRENCY = Kind(
    gettext_lazy("currency"),
    gettext_lazy("a currency is three letters, such as SEK"),
    _matching(r"[A-Za-z]{3}", str.upper),
)
BALANCE = (YEAR, ACCOUNT, AMOUNT)
#: The fields that are read of each record.
FIELDS: dict[str, tuple[Kind, ...]] = {
    "#SIETYP": (TYPE,),
    "#PROGRAM": (WORDS,),
    "#GEN": (DAY,),
    "#FNAMN": (WORDS,),
    "#ORGNR": (WORDS,),
    "#VALUTA": (CURRENCY,),
    "#OMFATTN": (DAY,),
    "#RAR": (YEAR, DAY, DAY),
    "#KONTO": (ACCOUNT,),
    "#IB": BALANCE,
    "#UB": BALANCE,
    "#RES": BALANCE,
    "#VER": (WORDS, WORDS, DAY),
    **dict.fromkeys(ROWS, (ACCOUNT, AMOUNT)),
}


def read_fields(record: Record) -> list[Any]:
    """Return what the known fields of a record hold."""
    given = record.fields
    if record.label in ROWS and len(given) > 1 and isinstance(given[1], tuple):
        # The list of objects may not be left out; some programs do all the same.
        given = (given[0], *given[2:])
    values = []
    for place, kind in enumerate(FIELDS[record.label]):
        text = given[place] if place < len(given) else ""
        if isinstance(text, tuple) or (kind.name is not None and not text.strip()):
            problem = _(
                "%(label)s is without its %(field)s. Export the file again; it may be cut off or damaged."
            )
            raise SieRefused(
                problem % {"label": record.label, "field": kind.name or place + 1}, line=record.line
            )
        try:
            values.append(kind.read(text.strip()))
        except ValueError:
            problem = _("%(label)s cannot be read: %(rule)s. Export the file again.")
            raise SieRefused(problem % {"label": record.label, "rule": kind.rule}, line=record.line) from None
    return values


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
    """What was read so far, and the voucher that is being read: where it begins, its day, and what its rows sum to."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self._voucher: tuple[int, date] | None = None
        self._inside = False
        self._sum = Decimal()
        self._seen: set[str] = set()

    def take(self, record: Record) -> None:
        self._seen.add(record.label)
        if record.label in (OPEN, CLOSE):
            self._take_brace(record)
        elif self._voucher is not None and not self._inside:
            self._refuse_open()
        elif record.label in ROWS:
            self._take_row(record)
        elif self._inside:
            problem = _("a voucher holds rows alone; the one before is not closed. Export the file again.")
            raise SieRefused(problem, line=record.line)
        elif record.label == "#VER":
            self._voucher, self._sum = (record.line, read_fields(record)[2]), Decimal()
        elif record.label in FIELDS:
            _take(self.books, record)

    def finish(self) -> None:
        if self._voucher is not None:
            self._refuse_open()
        if not self._seen & HEADER:
            raise SieRefused()

    def _take_brace(self, record: Record) -> None:
        expected = OPEN if self._voucher is not None and not self._inside else CLOSE if self._inside else None
        if record.label != expected:
            problem = _("a brace stands where none belongs. Export the file again.")
            raise SieRefused(problem, line=record.line)
        self._inside = record.label == OPEN
        if record.label == CLOSE and self._voucher is not None:
            line, day = self._voucher
            if self._sum != 0:
                problem = _(
                    "this voucher does not balance: its rows do not sum to zero. Mend it and export again."
                )
                raise SieRefused(problem, line=line)
            self.books.vouchers.append(day)
            self._voucher = None

    def _take_row(self, record: Record) -> None:
        if self._voucher is None:
            problem = _("a row stands outside of a voucher. Export the file again.")
            raise SieRefused(problem, line=record.line)
        _account, amount = read_fields(record)
        if record.label == "#TRANS":
            self._sum += amount

    def _refuse_open(self) -> None:
        problem = _("this voucher is not whole: the file is cut off or damaged. Export it again.")
        raise SieRefused(problem, line=self._voucher[0] if self._voucher else None)


def _take(books: Books, record: Record) -> None:
    """Take in a record that stands outside of vouchers."""
    first, *rest = read_fields(record)
    match record.label:
        case "#SIETYP":
            if first[:1] not in "1234" or len(first) > 2:
                raise SieRefused(_("only types 1 to 4 can be read. Export SIE type 4."), line=record.line)
            books.type = int(first[0])
        case "#PROGRAM":
            books.program = first
        case "#GEN":
            books.generated = first
        case "#FNAMN":
            books.name = first
        case "#ORGNR":
            books.organisation_number = first
        case "#VALUTA":
            books.currency = first
        case "#OMFATTN":
            books.covers_until = first
        case "#KONTO":
            books.accounts.add(first)
        case "#RAR":
            begins, ends = rest
            if begins > ends:
                raise SieRefused(
                    _("this year ends before it begins. Mend it and export again."), line=record.line
                )
            books.years[first] = (begins, ends)
        case "#IB" | "#UB" | "#RES":
            account, amount = rest
            balances = {"#IB": books.opening, "#UB": books.closing, "#RES": books.results}[record.label]
            if (first, account) in balances:
                problem = _("%(label)s of this account and year stands twice. Export the file again.")
                raise SieRefused(problem % {"label": record.label}, line=record.line)
            balances[first, account] = amount
