"""Promises of many checkpoints in the order in which events come, whether or not they fit into memory. Pure, but for temporary files."""

import heapq
import struct
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

from companion_site.audit.chain import Promise

#: Promises sorted at once in memory; more go to temporary files.
SORTED_AT_ONCE = 200_000
RECORD = struct.Struct(">16sQ32sQ")


class SortedPromises:
    """Promises in the order of chains and positions, however many: what does not fit into memory waits in temporary files."""

    def __init__(self, at_once: int = SORTED_AT_ONCE) -> None:
        self._at_once, self._here = at_once, list[bytes]()
        self._files: list[IO[bytes]] = []

    def add(self, promise: Promise) -> None:
        """Take one in."""
        self._here.append(RECORD.pack(*promise))
        if len(self._here) >= self._at_once:
            file = TemporaryFile()  # noqa: SIM115 (read once and closed by `__iter__`)
            self._here.sort()
            file.writelines(self._here)
            file.seek(0)
            self._files.append(file)
            self._here.clear()

    def __iter__(self) -> Iterator[Promise]:
        """Yield them, each once; there is one reading."""
        self._here.sort()
        last = b""
        for record in heapq.merge(*map(_records, self._files), self._here):
            if record != last:
                yield Promise(*RECORD.unpack(record))
            last = record


def _records(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while record := file.read(RECORD.size):
            yield record
