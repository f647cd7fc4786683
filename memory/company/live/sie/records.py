"""From the text of a SIE file to its records: a label, its fields, and the braces around the lines of a voucher."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory.company.live.sie.errors import SieRefused

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
