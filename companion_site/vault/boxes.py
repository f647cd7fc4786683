"""Sealed values: AES-256-GCM under a space's data key, bound to the row and field they belong to.

A box is `scheme byte | nonce | ciphertext and tag`. The associated data names the space, table, row and field, so a
ciphertext moved elsewhere does not open. An open space writes scheme 0, plain; a sealed space refuses to read it.
"""

import ctypes
import os
import sys
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion_site.errors import BoxBroken, SpaceLocked

PLAIN, SEALED = b"\x00", b"\x01"
NONCE_BYTES, TAG_BYTES = 12, 16
KEY_BYTES = 32
#: What `sys.getrefcount` says of bytes that a caller made and passed on without keeping them, and of those it holds by a name.
OWNED_BY_THE_CALLER = 3


@dataclass(frozen=True)
class Place:
    """Where a sealed value lives."""

    space: UUID
    table: str
    row: UUID
    field: str

    def associated_data(self) -> bytes:
        parts = (self.table.encode(), self.field.encode())
        lengths = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
        return b"companion/1" + self.space.bytes + self.row.bytes + lengths


class SpaceKey:
    """A space's opened data key. Never printed, pickled or stored as it is.

    It owns its bytes, and overwrites them when it is wiped or nobody has it any more; from then on it opens nothing.

    Args:
        data_key: a bytearray becomes the key's own; other bytes are copied, and are the caller's to overwrite.
    """

    def __init__(self, space: UUID, data_key: bytes | bytearray) -> None:
        if len(data_key) != KEY_BYTES:
            raise ValueError("a data key has 32 bytes")
        self.space = space
        self._data_key = data_key if isinstance(data_key, bytearray) else bytearray(data_key)
        self._derived: tuple[AESGCM, bytearray] | None = None
        self._wiped = False
        self._guard = Lock()

    def __del__(self) -> None:
        if hasattr(self, "_guard"):  # not where it was refused
            self.wipe()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.space}>"

    def __reduce__(self):
        raise TypeError("a space's key is never pickled")

    @property
    def data_key(self) -> bytearray:
        """The 32 bytes themselves, to be wrapped; never to be kept or changed.

        Raises:
            SpaceLocked: the key was wiped.
        """
        if self._wiped:
            raise SpaceLocked()
        return self._data_key

    @property
    def is_open(self) -> bool:
        """Whether it was not wiped."""
        return not self._wiped

    def wipe(self) -> None:
        """Overwrite the key. Who still has it finds the space locked; what is being opened in another thread is opened."""
        with self._guard:
            self._wiped = True
            wipe(self._data_key)
            if self._derived is not None:
                wipe(self._derived[1])
            # OpenSSL overwrites a cipher's key when the cipher goes (shown by `python -m bench.residue`).
            self._derived = None

    def _keys(self) -> tuple[AESGCM, bytearray]:
        """Return the cipher of content, and the key of hashes; derived at the first use, so that a wiped key derives nothing."""
        with self._guard:
            if self._wiped:
                raise SpaceLocked()
            if self._derived is None:
                content, hash_key = self._derive(b"content"), self._derive(b"content-hash")
                self._derived = AESGCM(content), hash_key
                wipe(content)
            return self._derived

    def _derive(self, purpose: bytes) -> bytearray:
        derived = bytearray(KEY_BYTES)
        kdf = HKDF(hashes.SHA256(), KEY_BYTES, salt=self.space.bytes, info=b"companion/1/" + purpose)
        kdf.derive_into(self._data_key, derived)
        return derived

    def seal(self, value: bytes, place: Place) -> bytes:
        """Return `value` as a box that opens only at `place`."""
        nonce = os.urandom(NONCE_BYTES)
        return SEALED + nonce + self._keys()[0].encrypt(nonce, value, place.associated_data())

    def open(self, box: bytes, place: Place) -> bytes:
        """Return what `box` holds.

        Raises:
            BoxBroken: the box was damaged, moved, sealed by another key, or is not sealed at all.
            SpaceLocked: the key was wiped.
        """
        if box[:1] != SEALED or place.space != self.space:
            raise BoxBroken()
        cipher, _ = self._keys()
        try:
            return cipher.decrypt(box[1 : 1 + NONCE_BYTES], box[1 + NONCE_BYTES :], place.associated_data())
        except (InvalidTag, ValueError):  # the second: shorter than a nonce
            raise BoxBroken() from None

    def keyed_hash(self, value: str) -> bytes:
        """Return the 32-byte HMAC by which equal values of this space are found without opening them."""
        _, hash_key = self._keys()
        mac = hmac.HMAC(hash_key, hashes.SHA256())
        # Wiped after the key was fetched, it would be a hash under zeros, by which nothing is ever found.
        self._keys()
        mac.update(value.encode())
        return mac.finalize()


class OpenSpaceKey(SpaceKey):
    """Stands for the key of an open space: its values are plain, by design."""

    def __init__(self, space: UUID) -> None:
        super().__init__(space, bytes(KEY_BYTES))

    def seal(self, value: bytes, place: Place) -> bytes:
        return PLAIN + value

    def open(self, box: bytes, place: Place) -> bytes:
        if box[:1] != PLAIN or place.space != self.space:
            raise BoxBroken()
        return box[1:]


def wipe(secret: bytearray) -> None:
    """Overwrite a secret where it stands."""
    secret[:] = bytes(len(secret))


def own(secret: bytes) -> bytearray:
    """Return a copy that can be overwritten, and overwrite the original, which a library has just made for the caller alone.

    Bytes are immutable to everybody who shares them, so this is for those that nobody does: made by the call whose result they
    are, longer than the single bytes of which the interpreter keeps one each, never hashed, and with the caller as their only
    owner. Where the count of owners says otherwise they are left as they are.
    """
    mine = bytearray(secret)
    # One reference is the caller's, one this function's argument, one that of the call to `getrefcount`.
    if len(secret) > 1 and type(secret) is bytes and sys.getrefcount(secret) <= OWNED_BY_THE_CALLER:
        ctypes.memset(id(secret) + bytes.__basicsize__ - 1, 0, len(secret))
    return mine
