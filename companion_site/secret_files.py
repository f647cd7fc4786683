"""Secrets that are made once and kept in a file of their own, readable by its owner alone."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def read_or_make(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return what is kept at `path`; on the first call keep what `make` gives there.

    Safe when several processes make it at once: the first file to be linked into place is the one all of them read.
    On return the file and its name are on the disk, so that nothing can be sealed with a secret that a crash takes.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _keep(path, make())
    return path.read_bytes()


def read_or_make_text(path: Path) -> str:
    """Return the secret of printable characters kept at `path`; one of 256 bits is made on the first call."""
    return read_or_make(path, lambda: secrets.token_urlsafe(32).encode()).decode().strip()


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in another's place: whoever reads it gets the old or the new one, also after a power cut."""
    _draft(path, content).replace(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Have the names of a directory's files on the disk."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file that its owner alone can read, which is on the disk after the block."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _draft(path: Path, content: bytes) -> Path:
    """Write a file beside `path`."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with new_file(draft) as file:
        file.write(content)
    return draft


def _keep(path: Path, secret: bytes) -> None:
    draft = _draft(path, secret)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    sync_directory(path.parent)
