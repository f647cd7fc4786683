"""Uploads: pieces of files that wait sealed with the person's key, and are read as if they were files on a disk."""

import io
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Sum
from django.utils.translation import gettext as _

from chat.access import ChatAccess
from chat.imports.files import MOST_BYTES
from chat.models import Import, ImportPart
from companion_site.errors import InvalidInput, NotFound
from companion_site.language import sanitise
from companion_site.vault.scope import space_scope, write_scope

State, Kind = Import.State, ImportPart.Kind
#: One piece, which is one request: small enough to be held in memory, whoever sends it.
PIECE_BYTES = 2**20
MOST_FILES = 20
LONGEST_NAME = 100
#: Imports of one person that wait for their yes: each may hold as much as an upload may have.
MOST_WAITING = 3
#: What is not answered by then goes.
WAITS = timedelta(days=1)
_WAITING = (State.RECEIVING, State.READING, State.READY)


def own_import(access: ChatAccess, source: UUID) -> Import:
    """Return one of the person's own imports; inside or outside a scope.

    Raises:
        NotFound: there is none of that id, or it is somebody else's.
    """
    with space_scope(access.space):
        return Import.objects.for_space(access.space).find(author_id=access.person.pk, pk=source)


def begin(access: ChatAccess, files: Sequence[tuple[str, int]], *, now: datetime) -> Import:
    """Begin an import of files whose pieces come next.

    Args:
        files: their names and sizes.

    Raises:
        NotFound: this is a company's memory, which no person's own talk belongs into.
        InvalidInput: there are no files, too many, or they are too large; or too many imports wait.
    """
    if not access.remembers:
        raise NotFound()
    if not files or len(files) > MOST_FILES or any(size <= 0 for _name, size in files):
        raise InvalidInput(_("Choose one file, or some, that are not empty."))
    if sum(size for _name, size in files) > MOST_BYTES:
        raise InvalidInput(
            _("That is more than %(size)s MB. Unpack the zip and choose conversations.json alone.")
            % {"size": MOST_BYTES // 2**20}
        )
    with write_scope(access.space), access.open():
        own = Import.objects.for_space(access.space).filter(author_id=access.person.pk)
        if own.filter(state__in=_WAITING).count() >= MOST_WAITING:
            raise InvalidInput(_("Some imports wait for you already. Keep them or throw them away first."))
        named = [[sanitise(name)[:LONGEST_NAME], size] for name, size in files]
        return Import.objects.create(space_id=access.space, author=access.person, files=named, created_at=now)


def take_piece(access: ChatAccess, source: UUID, *, file: int, number: int, content: bytes) -> None:
    """Keep one piece sealed; one that came before is not kept again.

    Raises:
        NotFound: the import is not theirs, or waits for no pieces.
        InvalidInput: it is no piece of what was announced.
    """
    with space_scope(access.space), access.open():
        row = own_import(access, source)
        if row.state != State.RECEIVING:
            raise NotFound()
        sizes = [size for _name, size in row.files]
        if not 0 <= file < len(sizes):
            raise InvalidInput()
        if not content or len(content) != piece_size(sizes[file], number):
            raise InvalidInput(_("The upload was cut off. Please try again."))
        part = ImportPart(
            space_id=row.space_id,
            source=row,
            kind=Kind.FILE,
            file=file,
            number=number,
            size=len(content),
            content=content,
        )
        keep_parts([part])


def piece_size(size: int, number: int) -> int:
    """Return the bytes of a file's piece by its number; 0 where there is none."""
    return max(0, min(PIECE_BYTES, size - number * PIECE_BYTES)) if number >= 0 else 0


def keep_parts(parts: Iterable[ImportPart]) -> None:
    """Write parts that are not there yet; inside the unlocked space's scope."""
    ImportPart.objects.bulk_create(parts, ignore_conflicts=True)


def take_file(access: ChatAccess, row: Import, file: int, content: Any) -> None:
    """Keep a whole file in pieces.

    Args:
        content: something to read bytes from.
    """
    number = 0
    while piece := content.read(PIECE_BYTES):
        take_piece(access, row.pk, file=file, number=number, content=piece)
        number += 1


def check_whole(row: Import) -> None:
    """Refuse an upload of which a piece is missing; inside the unlocked space's scope.

    Raises:
        InvalidInput: what is there may be gone on with.
    """
    there = row.parts.for_space(row.space_id).filter(kind=Kind.FILE).aggregate(size=Sum("size"))["size"]
    if there != sum(size for _name, size in row.files):
        raise InvalidInput(_("The upload was cut off. Please try again."))


class SealedFile(io.RawIOBase):
    """An uploaded file, of which one piece at a time is open; the caller has unlocked the space."""

    def __init__(self, row: Import, file: int, size: int) -> None:
        self._row, self._file, self._size, self._at = row, file, size, 0
        self._number, self._piece = -1, b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise OSError("before the beginning")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        number, start = divmod(self._at, PIECE_BYTES)
        if self._at >= self._size:
            return 0
        if number != self._number:
            self._number, self._piece = number, self._load(number)
        data = self._piece[start : start + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _load(self, number: int) -> bytes:
        with space_scope(self._row.space_id):
            parts = self._row.parts.for_space(self._row.space_id)
            return bytes(parts.get(kind=Kind.FILE, file=self._file, number=number).content)
