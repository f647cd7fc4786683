"""From the bytes of a SIE file to its text.

The format says "PC8", which is code page 437. Files in Latin-1 and UTF-8 say so too, and exist; so the bytes decide.
"""

import codecs

from django.utils.translation import gettext as _

from memory.company.live.sie.errors import SieRefused

#: a year of a company with twenty thousand vouchers
MOST_BYTES = 10_000_000
PC8 = "cp437"
#: å ä ö Å Ä Ö é ü as one of the two writes them; the other has box lines, Greek letters or control characters there
SWEDISH = "åäöÅÄÖéü"
#: with which old programs end a file
CONTROL_Z = b"\x1a"


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
