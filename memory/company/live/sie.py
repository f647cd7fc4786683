"""SIE, the exchange format of Swedish accounting programs, types 1 to 4, read as far as it becomes key figures.

Record after record is checked; other labels are passed over. The format says "PC8", which is code page 437; files in Latin-1
and UTF-8 say so too, and exist, so the bytes decide.

Source: the SIE group's specification of the file format, version 4B; its section on #KSUMMA.
"""

import codecs
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.company.errors import SieRefused
from memory.company.params import LIVE

#: a year of a company with twenty thousand vouchers
MOST_BYTES = 10_000_000
PC8 = "cp437"
#: å ä ö Å Ä Ö é ü as one of the two writes them; the other has box lines, Greek letters or control characters there
SWEDISH = "åäöÅÄÖéü"
#: with which old programs end a file
CONTROL_Z = b"\x1a"
OPEN, CLOSE = "{", "}"
LINE_END = re.compile(r"\r\n|\r|\n")
_INSIDE = r'(?:[^"\\]|\\.)*'
#: a quoted field, in which \" is a quotation mark; a list of objects, closed in its line and with no label in it; a brace; any other field
TOKEN = re.compile(
    rf'\s*(?:"({_INSIDE})"|(\{{(?:[^"{{}}#]|(?<![\s{{"])#|"{_INSIDE}")*\}})|([{{}}])|([^\s"{{}}]+))'
)
OBJECT = re.compile(rf'"({_INSIDE})"|([^\s"]+)')
#: a line without any of them is what stands between its blanks; most lines are, and this is five times faster
SPECIAL = re.compile(r'["{}]')
#: characters of a line: many times what any program writes, and few enough to be held in pieces
MOST_CHARS = 10_000
#: one field: words, or the list of objects that stands between braces
Field = str | tuple[str, ...]
LABEL = "#KSUMMA"
BITS = 0xFFFFFFFF


def decode(raw: bytes) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding.

    Raises:
        SieRefused: it is empty, too large, binary, or of another format.
    """
    if len(raw) > MOST_BYTES:
        size = _("The file is larger than %(most)d MB. Export one fiscal year at a time.")
        raise SieRefused(size % {"most": MOST_BYTES // 10**6})
    encoding = _encoding_of(raw)
    try:
        text = raw.rstrip(CONTROL_Z).decode(encoding)
    except UnicodeDecodeError:
        raise SieRefused(_not_sie()) from None
    beginning = text.lstrip()
    if not beginning:
        raise SieRefused(_("The file is empty. Export it again from the accounting program."))
    if beginning.startswith("<"):
        raise SieRefused(_("This is XML, perhaps SIE 5. Export SIE type 4 instead."))
    if not beginning.startswith("#") or "\x00" in text:
        raise SieRefused(_not_sie())
    return text, encoding


def _encoding_of(raw: bytes) -> str:
    if raw.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        # Swedish letters of the other two are hardly ever valid here.
        raw.decode("utf-8")
    except UnicodeDecodeError:
        letters = {name: set(SWEDISH.encode(name)) for name in (PC8, "latin-1")}
        return max(letters, key=lambda name: sum(map(raw.count, letters[name])))
    return "utf-8"


def _not_sie() -> str:
    return _("This is no SIE file. Choose the file that the accounting program exported as SIE type 4.")


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file; a brace that opens or closes a voucher is one by itself.

    Attributes:
        line: counted from 1.
        label: in capitals and with its "#", such as "#KONTO".
    """

    line: int
    label: str
    fields: tuple[Field, ...] = ()

    def wrong(self, problem: str) -> SieRefused:
        return SieRefused(problem, line=self.line)


def read_records(text: str) -> Iterator[Record]:
    """Yield the records of a file in their order; braces may stand on lines of their own or beside a record.

    Raises:
        SieRefused: a quotation mark is not closed, or a line is no record or too long for one.
    """
    for number, line in enumerate(LINE_END.split(text), start=1):
        if len(line) > MOST_CHARS:
            raise SieRefused(_("this line is longer than any record. Export the file again."), line=number)
        fields = line.split()
        if fields and fields[0][0] == "#" and not SPECIAL.search(line):
            yield Record(number, fields[0].upper(), tuple(fields[1:]))
        elif fields:
            yield from _records_of(line, number)


def _records_of(line: str, number: int) -> Iterator[Record]:
    label: str | None = None
    fields: list[Field] = []
    place, end = 0, len(line.rstrip())
    while place < end:
        match = TOKEN.match(line, place)
        if match is None:
            raise SieRefused(_("a quotation mark is not closed. Export the file again."), line=number)
        quoted, objects, brace, plain = match.groups()
        place = match.end()
        if objects and label is None:
            # Behind no label it is no list, but the braces of a voucher.
            brace, place = OPEN, match.start(2) + 1
        if brace:
            if label:
                yield Record(number, label, tuple(fields))
                label, fields = None, []
            yield Record(number, brace)
        elif label is None and plain and plain.startswith("#"):
            label = plain.upper()
        elif label is None:
            raise SieRefused(
                _("a record begins with # and its label, and this one does not. Export the file again."),
                line=number,
            )
        elif objects:
            fields.append(tuple(_unquote(*found) for found in OBJECT.findall(objects[1:-1])))
        else:
            fields.append(_unquote(quoted, plain))
    if label:
        yield Record(number, label, tuple(fields))


def _unquote(quoted: str | None, plain: str | None) -> str:
    return plain or (quoted or "").replace('\\"', '"')


class Checksum:
    """Sums what stands between the first #KSUMMA and the second, which says what it should be."""

    def __init__(self, encoding: str) -> None:
        # Which bytes: the file's own. Programs that write UTF-8 differ in this, and in counting the "#".
        self._ways = [(name, skip) for name in dict.fromkeys([encoding, PC8]) for skip in (0, 1)]
        self._sums: list[int] | None = None
        self._begun: Record | None = None

    def add(self, record: Record) -> None:
        """Take a record in; check the sum at the second #KSUMMA."""
        if record.label != LABEL:
            if self._sums is not None:
                self._sums = [
                    zlib.crc32(_bytes_of(record, *way), value)
                    for way, value in zip(self._ways, self._sums, strict=True)
                ]
        elif self._sums is None:
            self._sums, self._begun = [0] * len(self._ways), record
        else:
            self._check(record)

    def finish(self) -> None:
        """Check that a sum that was begun was told. Raises SieRefused: the file ends before it; it was cut off."""
        if self._sums is not None and self._begun is not None:
            raise self._begun.wrong(
                _("a checksum is announced here and never comes: the file is cut off. Export it again.")
            )

    def _check(self, record: Record) -> None:
        told = record.fields[0] if record.fields and isinstance(record.fields[0], str) else ""
        number = int(told) & BITS if told.lstrip("-").isdecimal() and len(told) < 12 else None
        if number not in (self._sums or ()):
            raise record.wrong(
                _("the checksum does not fit: the file was changed after it was exported. Export it again.")
            )
        self._sums = None


def _bytes_of(record: Record, encoding: str, skip: int) -> bytes:
    fields = ("".join(field) if isinstance(field, tuple) else field for field in record.fields)
    text = record.label[skip:] + "".join(fields) if record.label.startswith("#") else ""
    return text.encode(encoding.removesuffix("-sig"), "replace")


#: an amount by year (0 is this one, -1 the last) and account
Balances = dict[tuple[int, str], Decimal]
#: below ten trillion: more is no amount of a company that fits on one page of figures
DIGITS_OF_AMOUNT = r"[+-]?(?=[.,]?[0-9])[0-9]{0,13}(?:[.,][0-9]{0,6})?"
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


def _read_amount(digits: str) -> Decimal:
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
        pattern: what it matches; read: raises ValueError.
    """

    name: Promise | None = None
    rule: Promise | str = ""
    pattern: str = r"(?s).*"
    read: Callable[[str], Any] = str


WORDS = Kind()
TYPE = Kind(gettext_lazy("type"))
ACCOUNT = Kind(gettext_lazy("account"), gettext_lazy("an account is a number"), r"[0-9]{1,10}")
AMOUNT = Kind(
    gettext_lazy("amount"),
    gettext_lazy("an amount is a number with a point, such as -1234.50, and below 10,000,000,000,000"),
    DIGITS_OF_AMOUNT,
    _read_amount,
)
YEAR = Kind(
    gettext_lazy("year"),
    gettext_lazy("a year is 0 for the present one, -1 for the one before"),
    r"-?[0-9]{1,2}",
    int,
)
DAY = Kind(gettext_lazy("day"), gettext_lazy("a day is written as 20260331"), r"[0-9]{8}", _read_day)
CURRENCY = Kind(
    gettext_lazy("currency"),
    gettext_lazy("a currency is three letters, such as SEK"),
    r"[A-Za-z]{3}",
    str.upper,
)
#: The records that say one thing of the books: what, and how.
PLAIN = {
    "#PROGRAM": ("program", WORDS),
    "#GEN": ("generated", DAY),
    "#FNAMN": ("name", WORDS),
    "#ORGNR": ("organisation_number", WORDS),
    "#VALUTA": ("currency", CURRENCY),
    "#OMFATTN": ("covers_until", DAY),
}
#: The fields that are read of each record.
FIELDS: dict[str, tuple[Kind, ...]] = {
    **{label: (kind,) for label, (_name, kind) in PLAIN.items()},
    "#SIETYP": (TYPE,),
    "#RAR": (YEAR, DAY, DAY),
    "#KONTO": (ACCOUNT,),
    **dict.fromkeys(("#IB", "#UB", "#RES"), (YEAR, ACCOUNT, AMOUNT)),
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
            raise record.wrong(problem % {"label": record.label, "field": kind.name or place + 1})
        try:
            if not re.fullmatch(kind.pattern, text.strip()):
                raise ValueError(text)
            values.append(kind.read(text.strip()))
        except ValueError:
            problem = _("%(label)s cannot be read: %(rule)s. Export the file again.")
            raise record.wrong(problem % {"label": record.label, "rule": kind.rule}) from None
    return values


def read_sie(raw: bytes) -> Books:
    """Return what a file says.

    Raises:
        SieRefused: with the line, and what to do; nothing of a file that is broken anywhere is used.
    """
    text, encoding = decode(raw)
    books, checksum = Books(encoding=encoding.removesuffix("-sig")), Checksum(encoding)
    seen: set[str] = set()

    def read() -> Iterator[Record]:
        for record in read_records(text):
            checksum.add(record)
            seen.add(record.label)
            yield record

    records = read()
    for record in records:
        if record.label == "#VER":
            books.vouchers.append(_read_voucher(record, records))
        elif record.label in (OPEN, CLOSE):
            raise _stray(record)
        elif record.label in ROWS:
            raise record.wrong(_("a row stands outside of a voucher. Export the file again."))
        elif record.label in FIELDS:
            _take(books, record)
    if not seen & HEADER:
        raise SieRefused()
    checksum.finish()
    return books


def _read_voucher(voucher: Record, records: Iterator[Record]) -> date:
    """Return the day of a voucher; takes its rows, which sum to zero, from the records that follow, to its closing brace."""
    day: date = read_fields(voucher)[2]
    total = Decimal()
    not_whole = voucher.wrong(
        _("this voucher is not whole: the file is cut off or damaged. Export it again.")
    )
    opening = next(records, None)
    if opening is None or opening.label != OPEN:
        raise _stray(opening) if opening is not None and opening.label == CLOSE else not_whole
    for record in records:
        if record.label == OPEN:
            raise _stray(record)
        if record.label == CLOSE and total != 0:
            raise voucher.wrong(
                _("this voucher does not balance: its rows do not sum to zero. Mend it and export again.")
            )
        if record.label == CLOSE:
            return day
        if record.label not in ROWS:
            raise record.wrong(
                _("a voucher holds rows alone; the one before is not closed. Export the file again.")
            )
        _account, amount = read_fields(record)
        total += amount if record.label == "#TRANS" else 0
    raise not_whole


def _stray(brace: Record) -> SieRefused:
    return brace.wrong(_("a brace stands where none belongs. Export the file again."))


def _take(books: Books, record: Record) -> None:
    """Take in a record that stands outside of vouchers."""
    first, *rest = read_fields(record)
    match record.label:
        case "#SIETYP":
            if first[:1] not in "1234" or len(first) > 2:
                raise record.wrong(_("only types 1 to 4 can be read. Export SIE type 4."))
            books.type = int(first[0])
        case "#KONTO":
            books.accounts.add(first)
        case "#RAR":
            begins, ends = rest
            if begins > ends:
                raise record.wrong(_("this year ends before it begins. Mend it and export again."))
            books.years[first] = (begins, ends)
        case "#IB" | "#UB" | "#RES":
            account, amount = rest
            balances = {"#IB": books.opening, "#UB": books.closing, "#RES": books.results}[record.label]
            if (first, account) in balances:
                problem = _("%(label)s of this account and year stands twice. Export the file again.")
                raise record.wrong(problem % {"label": record.label})
            balances[first, account] = amount
        case _:
            setattr(books, PLAIN[record.label][0], first)
