"""One form of what is written in several, each character in its place, so that a span of the one is one of the other."""

import re
import sys
import unicodedata

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_SPACES = "\t\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"


def _make_table() -> dict[int, str]:
    digits = (code for code in range(128, sys.maxunicode + 1) if chr(code).isdecimal())
    table = {code: str(unicodedata.decimal(chr(code))) for code in digits}
    return (
        table | dict.fromkeys(map(ord, _DASHES), "-") | dict.fromkeys(map(ord, _SPACES), " ") | {0xFF0B: "+"}
    )


_TABLE = _make_table()
_MARKS = frozenset(map(chr, _TABLE))
#: A line's end or a tab as JSON writes it: its letter is no part of what stands behind it.
_ESCAPED = re.compile(r"\\[bfnrt]")


def fold_marks(text: str) -> str:
    """Return `text`, as long as it was, with every decimal digit, dash and space within a line as ASCII has it."""
    for mark in _MARKS.intersection(text):
        text = text.replace(mark, _TABLE[ord(mark)])
    return text


def end_lines(text: str) -> str:
    """Return `text`, as long as it was, with the end of a line where JSON, in which data travels, has its escape."""
    return _ESCAPED.sub("\n\n", text)
