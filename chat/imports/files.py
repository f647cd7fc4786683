"""Reading an export of any size in little memory: its JSON by one conversation at a time, out of a zip too, within bounds.

The bounds are held while it is read, by what really comes out: what a zip or a form says of itself is not believed.
"""

import codecs
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from chat.models import Import

Problem = Import.Problem
#: What an export may measure as it is uploaded, and unpacked: ten years of daily talk are some 200 MB of JSON.
MOST_BYTES = 256 * 2**20
MOST_UNPACKED = 512 * 2**20
#: Characters of one conversation, which is held in memory; the longest that people have are some 5 million.
MOST_OF_ONE = 12 * 2**20
#: Packed JSON is a tenth, of much repetition a fiftieth; a bomb is a thousandth.
MOST_RATIO = 200
#: Files in a zip, and bytes of its list of them; an export with pictures has some thousands.
MOST_FILES, MOST_LIST = 50_000, 8 * 2**20
#: Bytes read at once.
CHUNK = 2**18

_NAMES = re.compile(
    r"(?:^|/)(?:conversations[\w.-]*|chat-export[\w.-]*|all-chats[\w.-]*)\.json$", re.IGNORECASE
)
_LIST_END, _LIST_END_64 = b"PK\x05\x06", b"PK\x06\x07"
#: What the library raises of bytes that are none, of what is packed in a way that it does not know, and (the last two) of places that
#: the file does not have.
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError)
#: the bit of a file in a zip that needs a password
_LOCKED = 1
_DECODER = json.JSONDecoder()
_SPACES = " \t\r\n"
#: What a word, number or escape that was cut in two measures; and what is said of a text that was.
_LITTLE, _OPEN = 16, "Unterminated string"


class BadExport(Exception):
    """An export cannot be taken in; `problem` says why. It never holds a word of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def read_entries(file: BinaryIO) -> Iterator[Any]:
    """Yield what an export lists, one conversation at a time: of a JSON file, or of each that lies in a zip.

    Args:
        file: one that can be read from any place.

    Raises:
        BadExport: it is damaged, or beyond a bound. What was yielded before is then not to be kept either.
    """
    head = file.read(4)
    file.seek(0)
    if head[:2] == b"PK":
        yield from _entries_of_zip(file)
    else:
        yield from _entries_of_json(_Counted(file, most=MOST_UNPACKED))


def _entries_of_zip(file: BinaryIO) -> Iterator[Any]:
    _check_list(file)
    with _zip_errors():
        packed = zipfile.ZipFile(file)
    wanted = [one for one in packed.infolist() if _NAMES.search(one.filename)]
    if not wanted:
        raise BadExport(Problem.UNKNOWN)
    left = MOST_UNPACKED
    for one in sorted(wanted, key=lambda one: one.filename):
        if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or one.flag_bits & _LOCKED:
            raise BadExport(Problem.BAD_ZIP)
        most = min(left, max(one.compress_size * MOST_RATIO, 2**20))
        if one.file_size > most:
            raise BadExport(Problem.ZIP_BOMB)
        with _zip_errors():
            inner = packed.open(one)
        counted = _Counted(inner, most=most, beyond=Problem.ZIP_BOMB)
        yield from _entries_of_json(counted)
        left -= counted.taken


def _check_list(file: BinaryIO) -> None:
    """Refuse a zip whose list of files is too long to be read at all; one of our size needs no 64 bits for it."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 2**16 - 22))
    tail = file.read()
    file.seek(0)
    at = tail.rfind(_LIST_END)
    if at < 0 or len(tail) < at + 22:
        raise BadExport(Problem.BAD_ZIP)
    files = int.from_bytes(tail[at + 10 : at + 12], "little")
    measure = int.from_bytes(tail[at + 12 : at + 16], "little")
    if files > MOST_FILES or measure > MOST_LIST or tail[max(0, at - 20) : at].startswith(_LIST_END_64):
        raise BadExport(Problem.ZIP_BOMB)


@contextmanager
def _zip_errors() -> Iterator[None]:
    """Say of what the library finds damaged that it is; nothing else is done inside."""
    try:
        yield
    except _DAMAGED:
        raise BadExport(Problem.BAD_ZIP) from None


class _Counted:
    """A file, or one in a zip that is unpacked as it is read, up to a bound."""

    def __init__(self, file: Any, *, most: int, beyond: Problem = Problem.TOO_LARGE) -> None:
        self._file, self._most, self._beyond = file, most, beyond
        self.taken = 0

    def read(self, size: int) -> bytes:
        with _zip_errors():
            data: bytes = self._file.read(size)
        self.taken += len(data)
        if self.taken > self._most:
            raise BadExport(self._beyond)
        return data


def _entries_of_json(file: _Counted) -> Iterator[Any]:
    """Yield the entries of a list, or the one value that is no list, without holding more than one of them."""
    text = _Text(file)
    if text.peek() != "[":
        yield text.take_value()
    else:
        text.skip()
        while text.peek() != "]":
            yield text.take_value()
            following = text.peek()
            if following == ",":
                text.skip()
            elif following != "]":
                raise BadExport(Problem.NOT_JSON if following else Problem.CUT_SHORT)
        text.skip()
    if text.peek():
        raise BadExport(Problem.NOT_JSON)


class _Text:
    """The text of a file as far as it is read and not taken yet.

    Python's own decoder takes a value at a time; where the end of it is not there yet, twice as much is read, so that all the tries together
    cost no more than two.
    """

    def __init__(self, file: _Counted) -> None:
        self._file, self._left = file, ""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._is_over = False

    def peek(self) -> str:
        """Return the next character that is no space; an empty string at the end."""
        while True:
            self._left = self._left.lstrip(_SPACES)
            if self._left or self._is_over:
                return self._left[:1]
            self._read(CHUNK)

    def skip(self) -> None:
        self._left = self._left[1:]

    def take_value(self) -> Any:
        """Return the value that comes next."""
        if not self.peek():
            raise BadExport(Problem.CUT_SHORT if self._file.taken > _LITTLE else Problem.NOT_JSON)
        while True:
            try:
                value, end = _DECODER.raw_decode(self._left)
            except json.JSONDecodeError as error:
                is_inside = error.pos < len(self._left) - _LITTLE and not error.msg.startswith(_OPEN)
                if is_inside or self._is_over:
                    raise BadExport(Problem.NOT_JSON if is_inside else Problem.CUT_SHORT) from None
            except RecursionError:
                raise BadExport(Problem.TOO_DEEP) from None
            except ValueError:  # a number of thousands of digits
                raise BadExport(Problem.NOT_JSON) from None
            else:
                if end > MOST_OF_ONE:
                    raise BadExport(Problem.ONE_TOO_LARGE)
                if end < len(self._left) or self._is_over:
                    self._left = self._left[end:]
                    return value
            if len(self._left) > MOST_OF_ONE:
                raise BadExport(Problem.ONE_TOO_LARGE)
            self._read(max(CHUNK, len(self._left)))

    def _read(self, size: int) -> None:
        data = self._file.read(size)
        self._is_over = not data
        try:
            self._left += self._decoder.decode(data, final=self._is_over)
        except UnicodeDecodeError:
            raise BadExport(Problem.CUT_SHORT if self._is_over else Problem.NOT_JSON) from None
