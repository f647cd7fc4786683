"""Looking for words in bytes: as they are, in hex, in base64 and in other guises, also under layers of packing."""

import base64
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import quote

import numpy as np

#: Shorter ones would be met by chance.
SHORTEST = 7
PREFIX = 3
DEPTH = 4
PACKED = re.compile(rb"[A-Za-z0-9+/_-]{12,}={0,2}")
HEX = re.compile(rb"[0-9A-Fa-f]{16,}")


@dataclass(frozen=True)
class Guises:
    """What a secret may look like: `any_case` are matched whatever the case of ASCII letters."""

    any_case: frozenset[bytes]
    exact: frozenset[bytes]


def guises_of(secret: str | bytes) -> Guises:
    """Return the forms in which a word or a key would stand in a file."""
    plain = {secret} if isinstance(secret, bytes) else _encodings(secret)
    escaped = set() if isinstance(secret, bytes) else _escapes(secret)
    as_hex = {value.hex().encode() for value in plain}
    as_base64 = {form for value in plain for form in base64_forms(value)}
    if isinstance(secret, bytes):
        return Guises(_long(as_hex), _long(plain | as_base64))
    return Guises(_long(value.lower() for value in plain | escaped | as_hex), _long(as_base64))


def base64_forms(value: bytes) -> set[bytes]:
    """Return what is always there when `value` stands somewhere inside what is encoded, for the three alignments."""
    forms = set()
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + value)
        # The first characters depend on what stands before the value, the last on what follows it.
        start = -(-before * 8 // 6)
        end = (before + len(value)) * 8 // 6
        forms |= {encoded[start:end], encoded[start:end].translate(bytes.maketrans(b"+/", b"-_"))}
    return forms


def layers(data: bytes, depth: int = DEPTH) -> Iterator[bytes]:
    """Yield `data` and whatever is packed in it: hex, base64, zlib, in each other as well."""
    yield data
    if not depth:
        return
    for run in HEX.findall(data):
        yield from layers(bytes.fromhex(run[: len(run) & ~1].decode()), depth - 1)
    for run in PACKED.findall(data):
        text = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        if len(text) % 4 != 1:
            yield from layers(base64.b64decode(text + b"=" * (-len(text) % 4)), depth - 1)
    if data[:1] == b"\x78":
        try:
            yield from layers(zlib.decompress(data), depth - 1)
        except zlib.error:
            return


class Search:
    """Looks for many secrets at once; findings name the secret, not its words."""

    def __init__(self, secrets: dict[str, str | bytes]) -> None:
        guises = {name: guises_of(secret) for name, secret in secrets.items()}
        self._any_case = _Table({name: forms.any_case for name, forms in guises.items()})
        self._exact = _Table({name: forms.exact for name, forms in guises.items()})

    def in_bytes(self, data: bytes) -> set[str]:
        """Return the names of the secrets in `data` as it lies there."""
        return self._any_case.names_in(data.lower()) | self._exact.names_in(data)

    def in_layers(self, data: bytes) -> set[str]:
        """Return the names of the secrets in `data` and in what is packed in it."""
        return self.in_bytes(b"\n".join(layers(data)))


class _Table:
    """Patterns by their first bytes, so that one pass over the data meets them all."""

    def __init__(self, patterns: dict[str, frozenset[bytes]]) -> None:
        self._by_prefix: dict[bytes, list[tuple[bytes, str]]] = defaultdict(list)
        for name, forms in patterns.items():
            for form in forms:
                self._by_prefix[form[:PREFIX]].append((form, name))
        self._is_prefix = np.zeros(1 << (8 * PREFIX), dtype=bool)
        for prefix in self._by_prefix:
            self._is_prefix[int.from_bytes(prefix, "big")] = True

    def names_in(self, data: bytes) -> set[str]:
        octets = np.frombuffer(data, dtype=np.uint8).astype(np.uint32)
        if len(octets) < PREFIX:
            return set()
        prefixes = (octets[:-2] << 16) | (octets[1:-1] << 8) | octets[2:]
        return {
            name
            for start in np.flatnonzero(self._is_prefix[prefixes]).tolist()
            for form, name in self._by_prefix[data[start : start + PREFIX]]
            if data.startswith(form, start)
        }


def _encodings(text: str) -> set[bytes]:
    spellings = {text, text.lower(), text.upper(), text.capitalize()}
    spellings |= {normalize(form, spelling) for form in ("NFC", "NFD") for spelling in spellings}
    encoded = {
        spelling.encode(name) for spelling in spellings for name in ("utf-8", "utf-16-le", "utf-16-be")
    }
    return encoded | {spelling.encode("latin-1", "ignore") for spelling in spellings if _fits_latin(spelling)}


def _escapes(text: str) -> set[bytes]:
    """Return the word as JSON, an address, Python's repr of bytes and PostgreSQL's octal escape would have it."""
    escapes = set()
    for spelling in (text, text.lower(), text.upper(), text.capitalize()):
        raw = spelling.encode()
        octal = "".join(chr(byte) if byte < 128 else f"\\{byte:03o}" for byte in raw)
        escapes |= {json.dumps(spelling)[1:-1], quote(spelling), repr(raw)[2:-1], octal}
    return {escape.encode() for escape in escapes}


def _fits_latin(text: str) -> bool:
    return all(ord(character) < 256 for character in text)


def _long(forms: Iterable[bytes]) -> frozenset[bytes]:
    found = frozenset(forms)
    if any(len(form) < SHORTEST for form in found):
        raise ValueError("a secret this short would be found by chance")
    return found
