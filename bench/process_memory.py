"""What stands in the memory of a running process (Linux): every readable map searched for secrets, counted by place."""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

CHUNK = 2**20
#: Characters of a sentence that are always read around what was found of it.
LONGEST = 400
#: Those of the alphabets below that a piece of a word may have.
WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Hit:
    """One place in a process's memory; `name` is the secret's, `form` how it is written there."""

    name: str
    form: str
    where: str
    address: int


@dataclass(frozen=True)
class Wanted:
    """What is looked for.

    Attributes:
        exact: bytes by name: keys, vectors.
        prefix: the first letters of every planted word, of small ASCII letters; none of them stands there by itself.
        words: each planted word, by the sentence that it stands in.
    """

    exact: Mapping[str, bytes]
    prefix: str
    words: Mapping[str, str]


@dataclass
class Found:
    """Counts of one process: (kind, form, where) to how often, and which secrets of each kind were met."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    met: dict[str, set[str]] = field(default_factory=dict)

    def add(self, kind: str, hit: Hit) -> None:
        self.counts[kind, hit.form, hit.where] += 1
        self.met.setdefault(kind, set()).add(hit.name)


def family(process: psutil.Process) -> list[psutil.Process]:
    """Return a process and everything it forked."""
    return [process, *process.children(recursive=True)]


def search(pid: int, wanted: Wanted, *, clean: set[tuple[int, bytes]] | None = None) -> Iterator[Hit]:
    """Yield every place of the process where something wanted stands.

    Args:
        clean: digests of pieces in which nothing was found, to be passed over where they are met again: what processes share,
            as libraries and what lay there before a fork, is searched once. Of one `wanted` only; it is added to.

    Raises:
        PermissionError: its memory may not be read; only root may read that of a process that leaves no core dump.
    """
    sought = _Sought(wanted)
    overlap = LONGEST
    clean = set() if clean is None else clean
    for start, end, where in _maps(pid):
        before = b""
        for address, data in _read(pid, start, end):
            held, at = before + data, address - len(before)
            done = len(before)
            digest = done, blake2b(held, digest_size=32).digest()
            if digest not in clean:
                hits = list(_search(held, at, done, where, wanted, sought))
                yield from hits
                if not hits:
                    clean.add(digest)
            before = held[-overlap:]


class _Sought:
    """Everything that is looked for as it is written, found in one pass by the four bytes that each begins with.

    A character of UTF-32 begins as half of all small numbers do: of it the pass would find too much, and `find` looks.
    """

    def __init__(self, wanted: Wanted) -> None:
        self.forms = _forms(wanted.prefix)
        texts = [(name, secret) for name, secret in wanted.exact.items()]
        texts += [(form, prefix) for form, (prefix, _, width) in self.forms.items() if width < 4]
        self._wide = [(form, prefix) for form, (prefix, _, width) in self.forms.items() if width == 4]
        self._by_head: dict[bytes, list[tuple[str, bytes]]] = {}
        for name, text in texts:
            self._by_head.setdefault(text[:4], []).append((name, text))
        heads = np.frombuffer(b"".join(self._by_head), np.uint8).reshape(-1, 4)
        self._heads = heads.copy().view(np.uint32).ravel()
        self._pairs = np.zeros(2**16, bool)
        self._pairs[heads[:, :2].copy().view(np.uint16).ravel()] = True

    def places(self, held: bytes, done: int) -> Iterator[tuple[str, int]]:
        """Yield (name, place) of what does not lie wholly in the first `done` bytes."""
        for place in self._begun(np.frombuffer(held, np.uint8)):
            for name, text in self._by_head[held[place : place + 4]]:
                if place + len(text) > done and held.startswith(text, place):
                    yield name, place
        for name, text in self._wide:
            for place in _places(held, text, done):
                yield name, place

    def _begun(self, octets: NDArray[np.uint8]) -> list[int]:
        """Return where four bytes stand that something begins with."""
        found = []
        for shift in (0, 1):
            pairs = octets[shift : len(octets) - (len(octets) - shift) % 2].view(np.uint16)
            found.append(2 * np.flatnonzero(self._pairs[pairs]) + shift)
        places = np.concatenate(found)
        places = places[places <= len(octets) - 4]
        fours = octets[places[:, None] + np.arange(4)].view(np.uint32).ravel()
        kept: list[int] = np.sort(places[np.isin(fours, self._heads)]).tolist()
        return kept


def _search(held: bytes, at: int, done: int, where: str, wanted: Wanted, sought: _Sought) -> Iterator[Hit]:
    """Search a piece; what lies wholly in its first `done` bytes was found with the piece before."""
    for name, place in sought.places(held, done):
        if name in wanted.exact:
            yield Hit(name, "raw", where, at + place)
            continue
        _, encoding, width = sought.forms[name]
        piece = held[place : place + 40 * width].decode(encoding, "ignore").lower()
        word = WORD.match(piece)
        owner = next((owner for owner, own in wanted.words.items() if word and own in piece), "?")
        yield Hit(owner, name, where, at + place)
    yield from _masked(held, at, done, where, wanted)


def _masked(held: bytes, at: int, done: int, where: str, wanted: Wanted) -> Iterator[Hit]:
    """Find frames of a socket as they came: masked with four bytes that stand before them."""
    octets = np.frombuffer(held, np.uint8)
    if len(octets) < 8:
        return
    prefix = np.frombuffer(wanted.prefix.encode(), np.uint8)
    differences = (octets[4:] ^ octets[:-4]).tobytes()
    pattern = (prefix[4:] ^ prefix[:-4]).tobytes()
    for place in _places(differences, pattern, done):
        if held[place : place + len(prefix)].lower() != wanted.prefix.encode():
            yield Hit("?", "masked frame", where, at + place)


def _forms(prefix: str) -> dict[str, tuple[bytes, str, int]]:
    """Return how the planted words may be written: (bytes, encoding, bytes of a character) by name."""
    found = {}
    for case, spelling in (("", prefix), (" capital", prefix.capitalize()), (" capitals", prefix.upper())):
        for encoding, width in (("utf-8", 1), ("utf-16-le", 2), ("utf-32-le", 4)):
            found[encoding + case] = (spelling.encode(encoding), encoding, width)
    for before in range(3):
        encoded = b64encode(bytes(before) + prefix.encode())
        inner = encoded[-(-before * 8 // 6) : (before + len(prefix)) * 8 // 6]
        found[f"base64 {before}"] = (inner, "ascii", 1)
    return found


def _places(held: bytes, secret: bytes, done: int) -> Iterator[int]:
    place = held.find(secret, max(0, done - len(secret) + 1))
    while place >= 0:
        yield place
        place = held.find(secret, place + 1)


def _maps(pid: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, name) of what can be read."""
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        span, mode, _, _, inode, *path = line.split(None, 5)
        name = path[0].strip() if path else ""
        if "r" not in mode or name in ("[vvar]", "[vsyscall]", "[vvar_vclock]"):
            continue
        start, _, end = span.partition("-")
        yield int(start, 16), int(end, 16), _place_name(name, inode)


def _place_name(name: str, inode: str) -> str:
    if name.startswith("[stack"):
        return "stack"
    if name == "[heap]":
        return "heap"
    return "file" if inode != "0" else "mapped"


def _read(pid: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for address in range(start, end, CHUNK):
            try:
                memory.seek(address)
                data = memory.read(min(CHUNK, end - address))
            except (OSError, OverflowError):
                # Given back meanwhile, or a device's.
                continue
            yield address, data
