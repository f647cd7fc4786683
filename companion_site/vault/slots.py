"""How a secret opens a data key: derivation and the two layers of wrapping. No database."""

import os
import secrets
import threading
from base64 import b32encode
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from companion_site.errors import WrongKey
from companion_site.vault.boxes import KEY_BYTES, NONCE_BYTES, TAG_BYTES, own, wipe
from companion_site.vault.errors import Busy
from companion_site.vault.gate import derivation_gate
from companion_site.vault.keystore import get_key_store

SALT_BYTES = 16
RECOVERY_BYTES = 20  # 160 bits: nobody guesses it, and 32 letters can be written down
#: The threads of the lanes are one pool for the whole process: of two derivations at once one fails, or both wait for ever.
_one_at_a_time = threading.Lock()


def current_parameters() -> dict[str, Any]:
    """Return the cost of a new slot's Argon2id, as `VAULT_ARGON2` says; kept with each slot."""
    return dict(settings.VAULT_ARGON2)


def derive_wrapping_key(
    secret: str, *, salt: bytes, parameters: dict[str, Any], institution_salt: bytes
) -> bytearray:
    """Return the 32-byte key that `secret` (a password or a recovery code) stands for; the caller overwrites it.

    Raises:
        Busy: too many derive at once (`gate`), or the machine has no memory left.

    Source: RFC 9106, with the institution's salt as Argon2id's secret value.
    """
    kdf = Argon2id(salt=salt, length=KEY_BYTES, secret=institution_salt, **parameters)
    derived, typed = bytearray(KEY_BYTES), own(secret.encode("utf-8", "surrogatepass"))
    try:
        with derivation_gate().turn(), _one_at_a_time:
            kdf.derive_into(typed, derived)  # type: ignore[arg-type]
    except MemoryError:
        raise Busy() from None
    finally:
        wipe(typed)
    return derived


def derive_from_token(secret: bytes, *, salt: bytes, institution_salt: bytes) -> bytearray:
    """Return the 32-byte key that a random secret of 32 bytes stands for; nobody guesses it, so it may be cheap."""
    kdf = HKDF(hashes.SHA256(), length=KEY_BYTES, salt=salt + institution_salt, info=b"companion/token/1")
    derived = bytearray(KEY_BYTES)
    kdf.derive_into(secret, derived)
    return derived


def wrap(data_key: bytearray, wrapping_key: bytearray, *, erasure_key: bytes, info: bytes) -> bytes:
    """Return `data_key` under the slot's key and, around that, under the erasure key; the slot's key is overwritten."""
    inner = _encrypt(wrapping_key, data_key, info)
    wipe(wrapping_key)
    return _encrypt(erasure_key, inner, info)


def unwrap(wrapped: bytes, wrapping_key: bytearray, *, erasure_key: bytes, info: bytes) -> bytearray:
    """Return the data key; the slot's key is overwritten.

    Raises:
        WrongKey: the secret is not the slot's, or the slot is another space's.
    """
    try:
        return open_box(wrapping_key, open_box(erasure_key, wrapped, info), info)
    finally:
        wipe(wrapping_key)


def wrap_lease(data_key: bytearray, *, erasure_key: bytes, info: bytes) -> bytes:
    """Return `data_key` sealed to the worker and, around that, under the erasure key."""
    return _encrypt(erasure_key, get_key_store().seal_for_worker(data_key, info), info)


def unwrap_lease(wrapped: bytes, *, erasure_key: bytes, info: bytes) -> bytearray:
    """Return the data key; only a process that holds the worker's private key can."""
    try:
        return own(get_key_store().open_as_worker(bytes(open_box(erasure_key, wrapped, info)), info))
    except InvalidTag:
        raise WrongKey() from None


def slot_info(space: UUID, kind: str) -> bytes:
    """Return what a wrapping is bound to: its space and the slot's kind."""
    return b"companion/slot/1" + space.bytes + kind.encode()


def new_salt() -> bytes:
    return os.urandom(SALT_BYTES)


def new_recovery_code() -> str:
    """Return a code of 32 letters and digits in groups of four, to be shown once."""
    letters = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def normalise_recovery_code(code: str) -> str:
    """Return the code as it was made, however it was typed: case, spaces, and 0, 1, 8 read for O, I, B."""
    letters = "".join(character for character in code.upper() if character.isalnum())
    return letters.translate(str.maketrans("018", "OIB"))


def _encrypt(key: bytes | bytearray, value: bytes | bytearray, info: bytes) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, value, info)


def open_box(key: bytes | bytearray, box: bytes | bytearray, info: bytes) -> bytearray:
    """Return what `box` holds, a nonce and a ciphertext, in bytes that can be overwritten.

    Raises:
        WrongKey: the key or `info` is another one's, or the box is none.
    """
    opened = bytearray(max(0, len(box) - NONCE_BYTES - TAG_BYTES))
    try:
        AESGCM(key).decrypt_into(box[:NONCE_BYTES], box[NONCE_BYTES:], info, opened)
    except (InvalidTag, ValueError):  # the second: shorter than a nonce
        raise WrongKey() from None
    return opened
