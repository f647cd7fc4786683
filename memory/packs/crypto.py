"""The shell of a pack: who can open it, and its bytes in sealed chunks.

    MAGIC | header length (4 bytes) | header (JSON) | HMAC of all before (32 bytes) | chunk | chunk | ... | last chunk

The header wraps the file's key: Argon2id turns a passphrase into it, or HPKE (`MLKEM768_X25519`) seals it to a public key.
A wrong passphrase shows at the HMAC, before any chunk is read. Chunks are AES-256-GCM over 64 KiB with a counter and a mark
for the last one as nonce, so none can be left out, moved or added (STREAM, Hoang et al. 2015, "Online Authenticated-Encryption
and its Nonce-Reuse Misuse-Resistance"). The numbers of a foreign header are bounded before they cost anything.
"""

import hmac
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from companion_site.secret_files import read_or_make
from companion_site.vault.pairs import PAIR_BYTES, SUITE, opener_of, public_half, read_public_half
from memory.packs.errors import PackRefused
from memory.packs.limits import LIMITS, PackLimits

MAGIC = b"KPACK\x001\n"
KEY_BYTES = SALT_BYTES = MAC_BYTES = 32
LENGTH_BYTES = 4
MOST_HEADER_BYTES = 4_096
CHUNK_BYTES = 64 * 2**10
TAG_BYTES = 16
INFO = b"companion/kpack/1/"


@dataclass(frozen=True)
class Header:
    """What stands before the chunks: its bytes as they were read, what they say, and the HMAC behind them."""

    raw: bytes
    says: Mapping[str, Any]
    mac: bytes


def write_shell(
    stream: BinaryIO,
    plain: Iterable[bytes],
    *,
    passphrase: str | None = None,
    public_key: bytes | None = None,
) -> None:
    """Write `plain` to `stream`, sealed under a passphrase or to a public key (1,216 bytes, as an inbox shows it).

    Raises:
        ValueError: neither or both are given, or the public key is none.
    """
    if (passphrase is None) == (public_key is None):
        raise ValueError("a pack opens by a passphrase or by a key, one of them")
    if passphrase is not None:
        says, file_key = _lock_by_passphrase(passphrase)
    else:
        says, file_key = _lock_to(public_key or b"")
    text = json.dumps(says, separators=(",", ":"), sort_keys=True).encode()
    raw = MAGIC + len(text).to_bytes(LENGTH_BYTES, "big") + text
    stream.write(raw + _mac(file_key, raw))
    cipher = AESGCM(_payload_key(file_key, raw))
    for number, (chunk, last) in enumerate(_chunked(plain)):
        stream.write(cipher.encrypt(_nonce(number, last=last), chunk, None))


def read_header(stream: BinaryIO) -> Header:
    """Read what stands before the chunks. Raises PackRefused (unknown): something else stands there."""
    start = stream.read(len(MAGIC) + LENGTH_BYTES)
    length = int.from_bytes(start[len(MAGIC) :], "big")
    if start[: len(MAGIC)] != MAGIC or len(start) < len(MAGIC) + LENGTH_BYTES or length > MOST_HEADER_BYTES:
        raise PackRefused(why="unknown")
    text, mac = stream.read(length), stream.read(MAC_BYTES)
    try:
        says = json.loads(text)
    except (ValueError, RecursionError):
        raise PackRefused(why="unknown") from None
    if len(text) < length or len(mac) < MAC_BYTES or not isinstance(says, dict):
        raise PackRefused(why="unknown")
    return Header(start + text, says, mac)


def derive_file_key(header: Header, *, passphrase: str | None = None) -> bytes:
    """Return the key of a file's chunks (32 bytes): by its passphrase, or where none is given by this site's key.

    Raises:
        PackRefused (unknown): the header makes no sense. PackRefused (costly): it asks for more than is allowed.
        PackRefused (wrong-key): what is given does not open it, or is of the other kind.
    """
    kind = header.says.get("kind")
    if kind == "argon2id":
        file_key = _open_by_passphrase(header.says, passphrase)
    elif kind == "hpke":
        file_key = _open_by_key(header.says, passphrase)
    else:
        raise PackRefused(why="unknown")
    check_file_key(header, file_key)
    return file_key


def check_file_key(header: Header, file_key: bytes) -> None:
    """Raise PackRefused (wrong-key) unless the key is that of the file, and its header as it was written."""
    if not hmac.compare_digest(header.mac, _mac(file_key, header.raw)):
        raise PackRefused(why="wrong-key")


def read_chunks(stream: BinaryIO, header: Header, file_key: bytes, *, limits: PackLimits) -> Iterator[bytes]:
    """Yield the plain chunks behind the header.

    Raises:
        PackRefused (damaged): a chunk was changed, the end is missing, or something follows it. PackRefused (too-large).
    """
    cipher = AESGCM(_payload_key(file_key, header.raw))
    size, number, sealed = 0, 0, stream.read(CHUNK_BYTES + TAG_BYTES)
    while True:
        following = stream.read(CHUNK_BYTES + TAG_BYTES)
        size += len(sealed)
        if size > limits.file_bytes:
            raise PackRefused(why="too-large")
        try:
            yield cipher.decrypt(_nonce(number, last=not following), sealed, None)
        except InvalidTag:
            raise PackRefused(why="damaged") from None
        if not following:
            return
        sealed, number = following, number + 1


def _lock_by_passphrase(passphrase: str) -> tuple[dict[str, Any], bytes]:
    salt, argon2 = os.urandom(SALT_BYTES), settings.VAULT_ARGON2
    says = {
        "kind": "argon2id",
        "salt": b64encode(salt).decode(),
        "iterations": argon2["iterations"],
        "lanes": argon2["lanes"],
        "memory_kib": argon2["memory_cost"],
    }
    return says, _stretch(passphrase, salt, says)


def _lock_to(public_key: bytes) -> tuple[dict[str, Any], bytes]:
    file_key = os.urandom(KEY_BYTES)
    sealed = SUITE.encrypt(file_key, read_public_half(public_key), INFO + b"key")
    return {"kind": "hpke", "sealed": b64encode(sealed).decode()}, file_key


def _open_by_passphrase(says: Mapping[str, Any], passphrase: str | None) -> bytes:
    salt = _bytes_of(says.get("salt"))
    numbers = [says.get(name) for name in ("iterations", "lanes", "memory_kib")]
    if len(salt) != SALT_BYTES or not all(type(number) is int and number > 0 for number in numbers):
        raise PackRefused(why="unknown")
    iterations, lanes, memory = (int(number or 0) for number in numbers)
    if (
        memory > LIMITS.argon2_memory_kib
        or memory * iterations > LIMITS.argon2_work_kib
        or lanes > LIMITS.argon2_lanes
    ):
        raise PackRefused(why="costly")
    if memory < 8 * lanes:
        raise PackRefused(why="unknown")
    if passphrase is None:
        raise PackRefused(why="wrong-key")
    return _stretch(passphrase, salt, says)


def _open_by_key(says: Mapping[str, Any], passphrase: str | None) -> bytes:
    sealed = _bytes_of(says.get("sealed"))
    if passphrase is not None:
        raise PackRefused(why="wrong-key")
    try:
        return SUITE.decrypt(sealed, opener_of(_site_pair()), INFO + b"key")
    except (InvalidTag, ValueError):
        raise PackRefused(why="wrong-key") from None


def _stretch(passphrase: str, salt: bytes, says: Mapping[str, Any]) -> bytes:
    kdf = Argon2id(
        salt=salt,
        length=KEY_BYTES,
        iterations=says["iterations"],
        lanes=says["lanes"],
        memory_cost=says["memory_kib"],
    )
    return kdf.derive(passphrase.encode("utf-8", "surrogatepass"))


def _bytes_of(text: Any) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (TypeError, ValueError):
        raise PackRefused(why="unknown") from None


def _mac(file_key: bytes, raw: bytes) -> bytes:
    return hmac.digest(expand_key(file_key, b"header"), raw, sha256)


def _payload_key(file_key: bytes, raw: bytes) -> bytes:
    """Return the key of the chunks, bound to the header: two files under one passphrase share no key."""
    return expand_key(file_key, b"chunks/" + sha256(raw).digest())


def expand_key(file_key: bytes, purpose: bytes) -> bytes:
    """Return a key of its own (32 bytes) for one purpose of a file's key."""
    return HKDF(hashes.SHA256(), length=KEY_BYTES, salt=None, info=INFO + purpose).derive(file_key)


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _chunked(plain: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield chunks of CHUNK_BYTES, and whether each is the last; the last alone may be shorter."""
    held = bytearray()
    for part in plain:
        held += part
        while len(held) > CHUNK_BYTES:
            yield bytes(held[:CHUNK_BYTES]), False
            del held[:CHUNK_BYTES]
    yield bytes(held), True


def site_public_key() -> bytes:
    """Return the half that anybody may seal a pack to (1,216 bytes)."""
    return public_half(_site_pair())


def _site_pair() -> bytes:
    return read_or_make(Path(settings.KEY_STORE_DIR) / "packs.key", lambda: os.urandom(PAIR_BYTES))
