"""From the bytes of a SIE file to its records, and the checksum that it may carry.

Sources: the specification of SIE 4; its section on #KSUMMA. The format says "PC8", which is code page 437; files in Latin-1 and
UTF-8 say so too, and exist, so the bytes decide.
"""

import codecs
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory.company.errors import SieRefused

#: a year of a company with twenty thousand vouchers
MOST_BYTES = 10_000_000
PC8 = "cp437"
#: å ä ö Å Ä Ö é ü as one of the two writes them; the other has box lines, Greek letters or control characters there
SWEDISH = "åäöÅÄÖéü"
#: with which old programs end a file
CONTROL_Z = b"\x1a"
OPEN, CLOSE = "{", "}"
LINE_END = re.compile(r"\r\n|\r|\n")
#: a quoted field, in which \" is a quotation mark; a brace; any other field
TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([{}])|([^\s"{}]+))')
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
    _check_beginning(text)
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
        return max((PC8, "latin-1"), key=lambda name: _letters(raw, name))
    return "utf-8"


def _letters(raw: bytes, encoding: str) -> int:
    return sum(raw.count(byte) for byte in set(SWEDISH.encode(encoding)))


def _check_beginning(text: str) -> None:
    beginning = text.lstrip()
    if not beginning:
        raise SieRefused(_("The file is empty. Export it again from the accounting program."))
    if beginning.startswith("<"):
        raise SieRefused(_("This is XML, perhaps SIE 5. Export SIE type 4 instead."))
    if not beginning.startswith("#") or "\x00" in text:
        raise SieRefused(_not_sie())


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
            yield from _records_of(_tokens(line, number), number)


def _tokens(line: str, number: int) -> list[tuple[str, str]]:
    """Return the fields of a line, each with what it is: "quoted", "brace" or "plain"."""
    found, place, end = [], 0, len(line.rstrip())
    while place < end:
        match = TOKEN.match(line, place)
        if match is None:
            raise SieRefused(_("a quotation mark is not closed. Export the file again."), line=number)
        quoted, brace, plain = match.groups()
        if quoted is not None:
            found.append(("quoted", quoted.replace('\\"', '"')))
        else:
            found.append(("brace", brace) if brace else ("plain", plain))
        place = match.end()
    return found


def _records_of(tokens: list[tuple[str, str]], number: int) -> Iterator[Record]:
    label: str | None = None
    fields: list[Field] = []
    place = 0
    while place < len(tokens):
        kind, value = tokens[place]
        place += 1
        if kind == "plain" and value.startswith("#") and label is None:
            label = value.upper()
        elif kind == "brace":
            inside = _object_list(tokens, place) if value == OPEN and label else None
            if inside is not None:
                fields.append(inside)
                place += len(inside) + 1
                continue
            if label:
                yield Record(number, label, tuple(fields))
                label, fields = None, []
            yield Record(number, value)
        elif label is None:
            raise SieRefused(
                _("a record begins with # and its label, and this one does not. Export the file again."),
                line=number,
            )
        else:
            fields.append(value)
    if label:
        yield Record(number, label, tuple(fields))


def _object_list(tokens: list[tuple[str, str]], place: int) -> tuple[str, ...] | None:
    """Return what stands up to the brace that closes in this line; None where the brace opens a voucher."""
    inside: list[str] = []
    for kind, value in tokens[place:]:
        if (kind, value) == ("brace", CLOSE):
            return tuple(inside)
        if kind == "brace" or (kind == "plain" and value.startswith("#")):
            return None
        inside.append(value)
    return None


class Checksum:
    """Sums what stands between the first #KSUMMA and the second, which says what it should be."""

    def __init__(self, encoding: str) -> None:
        # Which bytes: the file's own. Programs that write UTF-8 differ in this, and in counting the "#".
        self._ways = [(name, skip) for name in dict.fromkeys([encoding, PC8]) for skip in (0, 1)]
        self._sums: list[int] | None = None
        self._begun: int | None = None

    def add(self, record: Record) -> None:
        """Take a record in; check the sum at the second #KSUMMA."""
        if record.label != LABEL:
            if self._sums is not None:
                self._sums = [
                    zlib.crc32(_bytes_of(record, *way), value)
                    for way, value in zip(self._ways, self._sums, strict=True)
                ]
        elif self._sums is None:
            self._sums, self._begun = [0] * len(self._ways), record.line
        else:
            self._check(record)

    def finish(self) -> None:
        """Check that a sum that was begun was told.

        Raises:
            SieRefused: the file ends before it; it was cut off.
        """
        if self._sums is not None:
            problem = _("a checksum is announced here and never comes: the file is cut off. Export it again.")
            raise SieRefused(problem, line=self._begun)

    def _check(self, record: Record) -> None:
        told = record.fields[0] if record.fields and isinstance(record.fields[0], str) else ""
        number = int(told) & BITS if told.lstrip("-").isdecimal() and len(told) < 12 else None
        if number not in (self._sums or ()):
            problem = _(
                "the checksum does not fit: the file was changed after it was exported. Export it again."
            )
            raise SieRefused(problem, line=record.line)
        self._sums = None


def _bytes_of(record: Record, encoding: str, skip: int) -> bytes:
    fields = ("".join(field) if isinstance(field, tuple) else field for field in record.fields)
    text = record.label[skip:] + "".join(fields) if record.label.startswith("#") else ""
    return text.encode(encoding.removesuffix("-sig"), "replace")
