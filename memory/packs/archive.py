"""The archive inside a pack: a gzipped tar of known files in a known order, written and read as a stream.

Reading is strict on purpose. A tar may hold links, devices, paths out of its folder and headers of any size; here each entry
must be the one expected, a plain file under its plain name, and nothing may follow the last one. Unpacking stops as soon as
it gives more than is allowed, in bytes or for each byte that went in.
"""

import zlib
from collections.abc import Iterable, Iterator
from tarfile import BLOCKSIZE, NUL, USTAR_FORMAT, TarInfo

from memory.packs.errors import PackRefused
from memory.packs.limits import PackLimits

GZIP = 31
PIECE_BYTES = 64 * 2**10
END = NUL * 2 * BLOCKSIZE
_SIZE, _SUM, _KIND, _MAGIC, _PREFIX = (
    slice(124, 136),
    slice(148, 156),
    slice(156, 157),
    slice(257, 263),
    slice(345, 500),
)


def compress(plain: Iterable[bytes]) -> Iterator[bytes]:
    """Yield `plain`, gzipped; the same in gives the same out."""
    packer = zlib.compressobj(6, zlib.DEFLATED, GZIP)
    for part in plain:
        packed = packer.compress(part)
        if packed:
            yield packed
    yield packer.flush()


def decompress(packed: Iterable[bytes], *, limits: PackLimits) -> Iterator[bytes]:
    """Yield what `packed` unpacks to, in small pieces.

    Raises:
        PackRefused (damaged): it is not gzip, is cut short, or something follows. PackRefused (too-large): it swells beyond what is allowed.
    """
    unpacker = zlib.decompressobj(GZIP)
    taken = given = 0
    for part in packed:
        taken += len(part)
        while part:
            piece = _unpack(unpacker, part)
            given += len(piece)
            if given > limits.unpacked_bytes or given > limits.free_bytes + limits.ratio * taken:
                raise PackRefused(why="too-large")
            if piece:
                yield piece
            if unpacker.eof and unpacker.unused_data:
                raise PackRefused(why="damaged")
            part = unpacker.unconsumed_tail
    if not unpacker.eof:
        raise PackRefused(why="damaged")


def entry(name: str, size: int) -> bytes:
    """Return the header of a plain file of `size` bytes."""
    head = TarInfo(name)
    head.size, head.mode = size, 0o644
    return head.tobuf(USTAR_FORMAT)


def padding(size: int) -> bytes:
    """Return what fills the last block of a file of `size` bytes."""
    return NUL * (-size % BLOCKSIZE)


class Feed:
    """A stream of pieces, read by number of bytes."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._held = bytearray()

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes. Raises PackRefused (damaged): there are not so many left."""
        while len(self._held) < size:
            piece = next(self._pieces, None)
            if piece is None:
                raise PackRefused(why="damaged")
            self._held += piece
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken

    def take_lines(self, size: int, *, most: int) -> Iterator[bytes]:
        """Yield the lines in the next `size` bytes, without their ends.

        Raises:
            PackRefused (too-large): a line is longer than `most`. PackRefused (damaged): the last has no end, or bytes are missing.
        """
        line = bytearray()
        while size:
            part = self.take(min(size, PIECE_BYTES))
            size -= len(part)
            *whole, rest = part.split(b"\n")
            for end in whole:
                if len(line) + len(end) > most:
                    raise PackRefused(why="too-large")
                yield bytes(line) + end
                line.clear()
            line += rest
            if len(line) > most:
                raise PackRefused(why="too-large")
        if line:
            raise PackRefused(why="damaged")

    def finish(self) -> None:
        """Read the end of the archive. Raises PackRefused (damaged): it is missing, or something follows."""
        if self.take(len(END)) != END or self._held or next(self._pieces, None) is not None:
            raise PackRefused(why="damaged")


def read_entry(feed: Feed, *, names: Iterable[str]) -> tuple[str, int]:
    """Return the name and the size of the next file, which must be one of `names`.

    Raises:
        PackRefused (path): it is another, or no plain file. PackRefused (damaged): there is no header.
    """
    block = feed.take(BLOCKSIZE)
    name = block[:100].rstrip(NUL)
    if name not in [wanted.encode() for wanted in names]:
        raise PackRefused(why="path") if any(block) else PackRefused(why="damaged")
    if block[_KIND] not in (b"0", NUL) or any(block[_PREFIX]) or block[_MAGIC] != b"ustar\x00":
        raise PackRefused(why="path")
    without = block[: _SUM.start] + b" " * 8 + block[_SUM.stop :]
    if sum(without) != _octal(block[_SUM]):
        raise PackRefused(why="damaged")
    return name.decode(), _octal(block[_SIZE])


def _octal(field: bytes) -> int:
    digits = field.strip(b" \x00")
    if not digits or digits.strip(b"01234567"):
        raise PackRefused(why="damaged")
    return int(digits, 8)


def _unpack(unpacker: "zlib._Decompress", part: bytes) -> bytes:
    try:
        return unpacker.decompress(part, PIECE_BYTES)
    except zlib.error:
        raise PackRefused(why="damaged") from None
