"""Where uploaded packs wait for the worker.

A file stays as it came, sealed; its key waits beside it, sealed to the worker (`DirectoryKeyStore.seal_for_worker`). Both lie next to
the key store (`KEY_STORE_DIR`), which the page and the worker share as it is, and go when the pack was read.
"""

import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from companion_site.vault.keystore import get_key_store
from memory.packs.crypto import INFO, expand_key
from memory.packs.errors import PackRefused

NONCE_BYTES = 12


def keep_upload(space: UUID, stream: BinaryIO, file_key: bytes) -> None:
    """Keep a pack with the key that opens it; the key comes last, so that what has one is whole."""
    pack, key, _plan = _paths(space)
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
    pack, key, _plan = _paths(space)
    try:
        file_key = get_key_store().open_as_worker(key.read_bytes(), _info(space))
        stream = pack.open("rb")
    except (InvalidTag, FileNotFoundError):
        raise PackRefused(why="damaged") from None
    with stream:
        yield stream, file_key


def keep_plan(space: UUID, file_key: bytes, paths: Sequence[str]) -> None:
    """Keep what the check of a pack found, sealed under the pack's own key."""
    packed = zlib.compress("\n".join(paths).encode())
    nonce = os.urandom(NONCE_BYTES)
    _paths(space)[2].write_bytes(
        nonce + AESGCM(expand_key(file_key, b"plan")).encrypt(nonce, packed, _info(space))
    )


def kept_plan(space: UUID, file_key: bytes) -> list[str] | None:
    """Return what `keep_plan` kept; None where nothing whole is."""
    try:
        raw = _paths(space)[2].read_bytes()
        packed = AESGCM(expand_key(file_key, b"plan")).decrypt(
            raw[:NONCE_BYTES], raw[NONCE_BYTES:], _info(space)
        )
    except (FileNotFoundError, InvalidTag, ValueError):
        return None
    return zlib.decompress(packed).decode().split("\n")


def forget_upload(space: UUID) -> None:
    """Drop a kept pack and its key; of none there is nothing to drop."""
    for path in _paths(space):
        path.unlink(missing_ok=True)


def _paths(space: UUID) -> tuple[Path, Path, Path]:
    folder = Path(settings.KEY_STORE_DIR) / "packs"
    return folder / f"{space}.kpack", folder / f"{space}.key", folder / f"{space}.plan"


def _info(space: UUID) -> bytes:
    return INFO + b"upload" + space.bytes
