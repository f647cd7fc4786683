"""Keys of the record that must not be in the database: those that seal events and those that sign checkpoints.

Both keys of one number are replaced together (`manage.py rotate_audit_key`).
"""

import fcntl
import os
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils.module_loading import import_string

from companion_site.audit.chain import seal_with
from companion_site.secret_files import read_or_make, replace_file


class DirectoryAuditKeys:
    """What the record asks of the place where its keys lie: here a directory that only the site's own user can read.

    Keys are numbered from 1; a missing one raises KeyError. A key management service stands in its place as a class with the same
    public methods (`AUDIT_KEYS`).
    """

    def __init__(self, directory: Path) -> None:
        self.directory = Path(directory)
        self._current = str(self.directory / "current")
        self._sealing: dict[int, bytes] = {}

    def current(self) -> int:
        """Return the number of the keys in use; the first are made on the first call."""
        # Read each time: other processes must learn at once that the keys were replaced.
        try:
            file = os.open(self._current, os.O_RDONLY)
        except FileNotFoundError:
            self.make(1)
            return int(read_or_make(self.directory / "current", lambda: b"1"))
        try:
            return int(os.read(file, 20))
        finally:
            os.close(file)

    def seal(self, key: int, digest: bytes) -> bytes:
        """Return the seal of an event's hash."""
        if key not in self._sealing:
            self._sealing[key] = self._read(f"sealing-{key}.key")
        return seal_with(self._sealing[key], digest)

    def sign(self, key: int, message: bytes) -> bytes:
        """Return the Ed25519 signature of a message: 64 bytes."""
        return Ed25519PrivateKey.from_private_bytes(self._read(f"signing-{key}.key")).sign(message)

    def public_key(self, key: int) -> bytes:
        """Return the 32 bytes of the public key that verifies signatures."""
        return bytes.fromhex(self._read(f"signing-{key}.public").decode())

    def make(self, key: int) -> None:
        """Make the keys of a number, unless they are there; they are not in use yet."""
        read_or_make(self.directory / f"sealing-{key}.key", lambda: os.urandom(32))
        private = read_or_make(self.directory / f"signing-{key}.key", lambda: os.urandom(32))
        public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
        read_or_make(self.directory / f"signing-{key}.public", public.hex().encode)

    def use(self, key: int) -> None:
        """Have everybody use the keys of a number from now on, and forget the signing key before it."""
        self._read(f"signing-{key}.key")
        replace_file(self.directory / "current", str(key).encode())
        (self.directory / f"signing-{key - 1}.key").unlink(missing_ok=True)

    def last_checkpoint(self) -> tuple[int, bytes]:
        """Return number and hash of the last checkpoint that was kept; 0 and 32 zero bytes before the first."""
        try:
            number, digest = (self.directory / "last").read_text().split()
        except FileNotFoundError:
            return 0, bytes(32)
        return int(number), bytes.fromhex(digest)

    def note_checkpoint(self, number: int, digest: bytes) -> None:
        """Keep number and hash of the last checkpoint; an earlier one than is kept changes nothing."""
        with os.fdopen(os.open(self.directory / "lock", os.O_WRONLY | os.O_CREAT, 0o600)) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if number > self.last_checkpoint()[0]:
                replace_file(self.directory / "last", f"{number} {digest.hex()}".encode())

    def _read(self, name: str) -> bytes:
        try:
            return (self.directory / name).read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None


@cache
def _keys(path: str, directory: Path) -> DirectoryAuditKeys:
    return import_string(path)(directory)


def get_audit_keys() -> DirectoryAuditKeys:
    """Return the process's keys of the record, as `AUDIT_KEYS` and `AUDIT_KEYS_DIR` say."""
    return _keys(settings.AUDIT_KEYS, settings.AUDIT_KEYS_DIR)
