"""The checksum that a file may carry: CRC-32 over labels and fields, without blanks, quotation marks and braces.

Source: the specification of SIE 4, the section on #KSUMMA.
"""

import zlib

from django.utils.translation import gettext as _

from memory.company.live.sie.encoding import PC8
from memory.company.live.sie.errors import SieRefused
from memory.company.live.sie.records import Record

LABEL = "#KSUMMA"
BITS = 0xFFFFFFFF


class Checksum:
    """Sums what stands between the first #KSUMMA and the second, which says what it should be."""

    def __init__(self, encoding: str) -> None:
        # Which bytes: the file's own. Programs that write UTF-8 differ in this, and in counting the "#".
        self._ways = [(name, skip) for name in dict.fromkeys([encoding, PC8]) for skip in (0, 1)]
        self._sums: list[int] | None = None
        self._begun: int | None = None

    def add(self, record: Record) -> None:
        """Take a record in; check the sum at the second #KSUMMA.

        Raises:
            SieRefused: the file says another sum.
        """
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
