"""Sealed values: AES-256-GCM under a space's data key, bound to the row and field they belong to.

A box is `scheme byte | nonce | ciphertext and tag`. The associated data names the space, table, row and field, so a
ciphertext moved elsewhere does not open. An open space writes scheme 0, plain; a sealed space refuses to read it.
"""

import os
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion_site.errors import BoxBroken

PLAIN, SEALED = b"\x00", b"\x01"
NONCE_BYTES = 12
KEY_BYTES = 32


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
    """A space's opened data key. Never printed, pickled or stored as it is."""

    def __init__(self, space: UUID, data_key: bytes) -> None:
        if len(data_key) != KEY_BYTES:
            raise ValueError("a data key has 32 bytes")
        self.space = space
        self.data_key = data_key

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.space}>"

    def __reduce__(self):
        raise TypeError("a space's key is never pickled")

    @cached_property
    def _cipher(self) -> AESGCM:
        return AESGCM(self._derive(b"content"))

    @cached_property
    def _hash_key(self) -> bytes:
        return self._derive(b"content-hash")

    def _derive(self, purpose: bytes) -> bytes:
        kdf = HKDF(hashes.SHA256(), KEY_BYTES, salt=self.space.bytes, info=b"companion/1/" + purpose)
        return kdf.derive(self.data_key)

    def seal(self, value: bytes, place: Place) -> bytes:
        """Return `value` as a box that opens only at `place`."""
        nonce = os.urandom(NONCE_BYTES)
        return SEALED + nonce + self._cipher.encrypt(nonce, value, place.associated_data())

    def open(self, box: bytes, place: Place) -> bytes:
        """Return what `box` holds.

        Raises:
            BoxBroken: the box was damaged, moved, sealed by another key, or is not sealed at all.
        """
        if box[:1] != SEALED or place.space != self.space:
            raise BoxBroken()
        try:
            return self._cipher.decrypt(
                box[1 : 1 + NONCE_BYTES], box[1 + NONCE_BYTES :], place.associated_data()
            )
        except (InvalidTag, ValueError):  # the second: shorter than a nonce
            raise BoxBroken() from None

    def keyed_hash(self, value: str) -> bytes:
        """Return the 32-byte HMAC by which equal values of this space are found without opening them."""
        mac = hmac.HMAC(self._hash_key, hashes.SHA256())
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
