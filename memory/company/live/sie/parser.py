"""Reading a SIE file of type 1 to 4: record after record, each checked; labels that are not known are passed over.

Source: the SIE group's specification of the file format, version 4B.
"""

from collections.abc import Callable
from decimal import Decimal

from django.utils.translation import gettext as _

from memory.company.live.sie import values
from memory.company.live.sie.books import Account, Balances, Books, Voucher
from memory.company.live.sie.checksum import Checksum
from memory.company.live.sie.encoding import decode
from memory.company.live.sie.errors import SieRefused
from memory.company.live.sie.records import CLOSE, OPEN, Record, read_records

#: at least one of them stands in every file
HEADER = {"#FLAGGA", "#SIETYP", "#PROGRAM", "#FORMAT"}
ROWS = {"#TRANS", "#RTRANS", "#BTRANS"}


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
            series=values.words(record, 0),
            number=values.words(record, 1),
            date=values.day(record, 2),
            text=values.words(record, 3),
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
        number = values.account(record, 0)
        # The list of objects may not be left out; some programs do all the same.
        listed = len(record.fields) > 1 and isinstance(record.fields[1], tuple)
        amount = values.amount(record, 2 if listed else 1)
        if record.label == "#TRANS":
            self._voucher.rows.append((number, amount))

    def _refuse_open(self, voucher: Voucher) -> None:
        problem = _("this voucher is not whole: the file is cut off or damaged. Export it again.")
        raise SieRefused(problem, line=voucher.line)


def _take_type(books: Books, record: Record) -> None:
    told = values.words(record, 0, needed=values.TYPE_FIELD)
    if told[:1] not in "1234" or len(told) > 2:
        raise SieRefused(_("only types 1 to 4 can be read. Export SIE type 4."), line=record.line)
    books.type = int(told[0])


def _take_year(books: Books, record: Record) -> None:
    index, first, last = values.year(record, 0), values.day(record, 1), values.day(record, 2)
    if first > last:
        raise SieRefused(_("this year ends before it begins. Mend it and export again."), line=record.line)
    books.years[index] = (first, last)


def _take_account(books: Books, record: Record) -> None:
    number = values.account(record, 0)
    books.accounts.setdefault(number, Account(number)).name = values.words(record, 1)


def _take_account_type(books: Books, record: Record) -> None:
    number = values.account(record, 0)
    books.accounts.setdefault(number, Account(number)).type = values.words(
        record, 1, needed=values.TYPE_FIELD
    ).upper()


def _take_balance(balances: Callable[[Books], Balances]) -> Callable[[Books, Record], None]:
    def take(books: Books, record: Record) -> None:
        key = (values.year(record, 0), values.account(record, 1))
        if key in balances(books):
            problem = _("%(label)s of this account and year stands twice. Export the file again.")
            raise SieRefused(problem % {"label": record.label}, line=record.line)
        balances(books)[key] = values.amount(record, 2)

    return take


def _take_month(books: Books, record: Record) -> None:
    """Take the balance of a month; what single objects have of it is part of the whole."""
    key = (values.year(record, 0), values.month(record, 1), values.account(record, 2))
    objects = record.fields[3] if len(record.fields) > 3 else ()
    amount = values.amount(record, 4 if isinstance(objects, tuple) else 3)
    if not objects or not isinstance(objects, tuple):
        books.months[key] = amount


def _take_dimension(books: Books, record: Record) -> None:
    books.dimensions[values.words(record, 0, needed=values.NUMBER_FIELD)] = values.words(record, 1)


def _take_object(books: Books, record: Record) -> None:
    key = (
        values.words(record, 0, needed=values.DIMENSION_FIELD),
        values.words(record, 1, needed=values.NUMBER_FIELD),
    )
    books.object_names[key] = values.words(record, 2)


def _take_currency(books: Books, record: Record) -> None:
    books.currency = values.currency(record, 0)


def _take_words(name: str) -> Callable[[Books, Record], None]:
    return lambda books, record: setattr(books, name, values.words(record, 0))


def _take_day(name: str) -> Callable[[Books, Record], None]:
    return lambda books, record: setattr(books, name, values.day(record, 0))


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
