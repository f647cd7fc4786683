"""Keys that must not be in the database: the institution's salt, the worker's key pair, the spaces' erasure keys."""

import os
from functools import cache, cached_property
from pathlib import Path
from uuid import UUID

from cryptography.hazmat.primitives.hpke import MLKEM768X25519PrivateKey
from django.conf import settings
from django.utils.module_loading import import_string

from companion_site.errors import SpaceLocked
from companion_site.secret_files import read_or_make
from companion_site.vault.pairs import PAIR_BYTES, SUITE, opener_of


class DirectoryKeyStore:
    """What the vault asks of the place where keys outside the database live: here a directory that only the site's own user can read.

    A key management service stands in its place as a class with the same public methods (`KEY_STORE`).
    """

    def __init__(self, directory: Path) -> None:
        self.directory = Path(directory)

    def is_empty(self) -> bool:
        """Tell whether nothing has ever been kept here."""
        return not (self.directory / "institution.salt").exists()

    def institution_salt(self) -> bytes:
        """Return the 32 bytes mixed into every derivation of this installation."""
        return self._salt

    def seal_for_worker(self, secret: bytes | bytearray, info: bytes) -> bytes:
        """Seal `secret` to the worker's public key; it opens with the same `info` only."""
        return SUITE.encrypt(secret, self._worker_key.public_key(), info)

    def open_as_worker(self, sealed: bytes, info: bytes) -> bytes:
        """Open what was sealed for the worker."""
        return SUITE.decrypt(sealed, self._worker_key, info)

    def erasure_key(self, space: UUID) -> bytes:
        """Return the space's 32-byte erasure key. Raises SpaceLocked once it has been destroyed."""
        try:
            return self._erasure_path(space).read_bytes()
        except FileNotFoundError:
            raise SpaceLocked() from None

    def make_erasure_key(self, space: UUID) -> bytes:
        """Make and keep the space's erasure key; return it."""
        return read_or_make(self._erasure_path(space), lambda: os.urandom(32))

    def destroy_erasure_key(self, space: UUID) -> None:
        """Forget the space's erasure key: no slot of the space opens again, in any copy of the database."""
        self._erasure_path(space).unlink(missing_ok=True)

    @cached_property
    def _salt(self) -> bytes:
        return read_or_make(self.directory / "institution.salt", lambda: os.urandom(32))

    @cached_property
    def _worker_key(self) -> MLKEM768X25519PrivateKey:
        return opener_of(read_or_make(self.directory / "worker.key", lambda: os.urandom(PAIR_BYTES)))

    def _erasure_path(self, space: UUID) -> Path:
        return self.directory / "erasure" / str(space)


@cache
def get_key_store() -> DirectoryKeyStore:
    """Return the process's key store, as `KEY_STORE` and `KEY_STORE_DIR` say."""
    return import_string(settings.KEY_STORE)(settings.KEY_STORE_DIR)
