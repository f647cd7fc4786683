"""Where uploaded packs wait for the worker.

A file stays as it came, sealed; its key waits beside it, sealed to the worker (`DirectoryKeyStore.seal_for_worker`). Both lie next to
the key store (`KEY_STORE_DIR`), which the page and the worker share as it is, and go when the pack was read.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from cryptography.exceptions import InvalidTag
from django.conf import settings

from companion_site.vault.keystore import get_key_store
from memory.packs.crypto import INFO
from memory.packs.errors import PackRefused


def keep_upload(space: UUID, stream: BinaryIO, file_key: bytes) -> None:
    """Keep a pack with the key that opens it; the key comes last, so that what has one is whole."""
    pack, key = _paths(space)
    pack.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    stream.seek(0)
    with pack.open("wb") as file:
        shutil.copyfileobj(stream, file)
    key.write_bytes(get_key_store().seal_for_worker(file_key, _info(space)))


def upload_waits(space: UUID) -> bool:
    """Tell whether an upload waits to be read."""
    return _paths(space)[1].exists()


@contextmanager
def kept_upload(space: UUID) -> Iterator[tuple[BinaryIO, bytes]]:
    """Open a kept pack; yield its file and its key. Raises PackRefused (damaged): it is gone, or its key was sealed to another worker."""
    pack, key = _paths(space)
    try:
        file_key = get_key_store().open_as_worker(key.read_bytes(), _info(space))
        stream = pack.open("rb")
    except (InvalidTag, FileNotFoundError):
        raise PackRefused(why="damaged") from None
    with stream:
        yield stream, file_key


def forget_upload(space: UUID) -> None:
    """Drop a kept pack and its key; of none there is nothing to drop."""
    for path in _paths(space):
        path.unlink(missing_ok=True)


def _paths(space: UUID) -> tuple[Path, Path]:
    folder = Path(settings.KEY_STORE_DIR) / "packs"
    return folder / f"{space}.kpack", folder / f"{space}.key"


def _info(space: UUID) -> bytes:
    return INFO + b"upload" + space.bytes
