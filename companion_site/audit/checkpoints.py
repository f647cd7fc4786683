"""Signed checkpoints of the record: how one is written, and how a row of them is verified. Pure: no database, no clock, no settings.

A checkpoint is a file of lines. Each line of its body says how far a chain reaches (`h CHAIN POSITION HASH`) or that a space was
erased (`e SPACE TIME`). The last line is the statement: JSON that names the body's hash and the statement before it, signed with
Ed25519. Since each names its predecessor, a signature covers everything before it too.
"""

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import IO, Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from companion_site.audit.chain import START, Finding, Kind, Promise, Rules

FORMAT = 1
PURPOSE = b"companion audit checkpoint\0"
LINE = re.compile(
    rb"h (?P<chain>[0-9a-f-]{36}) (?P<position>[1-9][0-9]{0,18}) (?P<hash>[0-9a-f]{64})\n"
    rb"|e (?P<space>[0-9a-f-]{36}) (?P<at>[0-9T:.+Z-]{1,40})\n"
)
#: No statement is longer; what is does not come from here.
LONGEST_STATEMENT = 4096


class BadCheckpoint(ValueError):
    """What is wrong with a checkpoint's own bytes."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What a checkpoint says of itself.

    Attributes:
        since: the next one looks for events from this moment on; everything older was committed before this one.
        previous: hash of the statement before, in hexadecimal digits; 64 zeros for the first.
        body: SHA-256 of the lines above the statement.
        whole: it names every chain, not just what changed.
        restored: it was made after an older copy of the database was restored on purpose.
        refused: chains whose last event did not hold, and that it says nothing about.
        key: number of the keys it is signed with.
        introduces: the public keys that it vouches for, in hexadecimal digits, by their numbers.
    """

    number: int
    at: str
    since: str
    previous: str
    heads: int
    erasures: int
    body: str
    whole: bool
    restored: bool
    refused: int
    key: int
    introduces: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Replayed:
    """What a row of checkpoints says.

    Attributes:
        erasures: spaces that were erased.
        is_trusted: one of them at least is signed with a key that the verifier was given.
        last: the last statement that could be read, with its hash.
    """

    findings: list[Finding] = field(default_factory=list)
    erasures: list[UUID] = field(default_factory=list)
    retired: dict[int, int] = field(default_factory=dict)
    restored: list[Statement] = field(default_factory=list)
    count: int = 0
    is_trusted: bool = False
    last: tuple[Statement, bytes] | None = None

    @property
    def rules(self) -> Rules:
        return Rules(retired=self.retired, restored=[one.number for one in self.restored])


def head_line(chain: UUID, position: int, digest: bytes) -> bytes:
    """Return the line that says how far a chain reaches."""
    return b"h %s %d %s\n" % (str(chain).encode(), position, digest.hex().encode())


def erasure_line(space: UUID, at: datetime) -> bytes:
    """Return the line that says that a space was erased, and when."""
    return b"e %s %s\n" % (str(space).encode(), at.isoformat().encode())


def sign_statement(statement: Statement, sign: Callable[[bytes], bytes]) -> bytes:
    """Return the last line of a checkpoint's file."""
    values = {"format": FORMAT, **asdict(statement)}
    signature = sign(PURPOSE + _canonical(values)).hex()
    return _canonical({**values, "signature": signature}) + b"\n"


def statement_hash(line: bytes) -> bytes:
    """Return the 32 bytes that name a checkpoint, from its last line."""
    return hashlib.sha256(PURPOSE + line).digest()


def read_statement(line: bytes) -> tuple[Statement, bytes, bytes]:
    """Return a statement, the message that was signed, and the signature.

    Raises:
        BadCheckpoint: it is no statement in the one form that there is.
    """
    try:
        values = json.loads(line)
        # One form only: no byte can be changed without a change of what is said.
        if (
            not isinstance(values, dict)
            or _canonical(values) + b"\n" != line
            or values.pop("format") != FORMAT
        ):
            raise BadCheckpoint("is not written in the form of a checkpoint")
        signature = bytes.fromhex(values.pop("signature"))
        statement = Statement(**values)
        numbers = (statement.number, statement.key, statement.heads, statement.erasures, statement.refused)
        if not all(type(number) is int for number in numbers) or not isinstance(statement.introduces, dict):
            raise BadCheckpoint("has a statement that makes no sense")
        for moment in (statement.at, statement.since):
            datetime.fromisoformat(moment)
        bytes.fromhex(statement.previous), bytes.fromhex(statement.body)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, BadCheckpoint):
            raise
        raise BadCheckpoint("has no statement that can be read") from None
    return statement, PURPOSE + _canonical({"format": FORMAT, **values}), signature


def last_line(file: IO[bytes]) -> bytes:
    """Return a checkpoint's statement without reading what is above it."""
    size = file.seek(0, 2)
    file.seek(max(0, size - LONGEST_STATEMENT))
    lines = file.read().splitlines(keepends=True)
    return lines[-1] if lines else b""


def is_signed(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Tell whether an Ed25519 signature is good; a malformed key or signature is not."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def replay(
    files: Iterable[tuple[int, IO[bytes]]],
    keep: Callable[[Promise], None],
    *,
    trusted: Collection[bytes],
    last: tuple[int, bytes] = (0, START),
    only: UUID | None = None,
) -> Replayed:
    """Verify a row of checkpoints, and hand on what they promise of chains.

    A key counts when it was introduced under one that counts already; the first checkpoint introduces its own. One checkpoint
    at least has to be signed with a `trusted` key: it vouches for all before it by their hashes, and for later keys by what
    it introduces.

    Args:
        files: with the number by which each is kept, in order.
        keep: is given each promise, in no order.
        trusted: public keys of 32 bytes that came some other way than the checkpoints.
        last: number and hash of the last checkpoint, as known elsewhere; there must be one of that number and hash.
        only: hand on promises of this chain alone.
    """
    said = Replayed()
    known: dict[int, bytes] = {}
    newest, expected, previous = 0, 1, START
    for number, file in files:
        said.count += 1

        def find(kind: Kind, why: str, number: int = number) -> None:
            said.findings.append(Finding(kind, None, number, why))

        if number != expected:
            find(Kind.CHECKPOINT_MISSING, f"follows where checkpoint {expected} should stand")
            previous = b""
        expected = number + 1
        try:
            lines, line, digest = _read_body(file)
            statement, message, signature = read_statement(line)
        except BadCheckpoint as problem:
            find(Kind.CHECKPOINT_EDITED, str(problem))
            previous = b""
            continue
        if number == said.count == 1:
            with suppress(ValueError, KeyError):
                known[statement.key] = bytes.fromhex(statement.introduces[str(statement.key)])
        name = statement_hash(line)
        is_linked = previous == b"" or bytes.fromhex(statement.previous) == previous
        previous = name
        if number == last[0] and name != last[1]:
            find(Kind.CHECKPOINT_EDITED, "is another one than was kept under this number")
            continue
        if statement.key < newest or not is_signed(known.get(statement.key, b""), signature, message):
            find(Kind.CHECKPOINT_SIGNATURE, "is not signed with a key that counts")
            continue
        if digest.hex() != statement.body:
            find(Kind.CHECKPOINT_EDITED, "says something else than was signed")
            continue
        if statement.number != number or not is_linked:
            find(Kind.CHECKPOINT_UNLINKED, "does not stand in the place that it was signed for")
            continue
        said.last = (statement, name)
        said.is_trusted = said.is_trusted or known[statement.key] in trusted
        for key in range(newest, statement.key):
            said.retired[key] = number
        newest = statement.key
        with suppress(ValueError):
            for named, public in statement.introduces.items():
                known.setdefault(int(named), bytes.fromhex(public))
        if statement.restored:
            said.restored.append(statement)
        _take(lines, number, said, keep, only)
    if expected <= last[0]:
        why = f"is missing, and all up to {last[0]}" if expected < last[0] else "is missing"
        said.findings.append(Finding(Kind.CHECKPOINT_MISSING, None, expected, why))
    if said.count and not said.is_trusted:
        why = "No checkpoint is signed with the key that was given."
        said.findings.append(Finding(Kind.CHECKPOINT_SIGNATURE, None, said.count, why))
    return said


def _read_body(file: IO[bytes]) -> tuple[Callable[[], Iterator[bytes]], bytes, bytes]:
    """Return a way to read the body's lines again, the statement's line and the body's SHA-256.

    Raises:
        BadCheckpoint: a line is longer than any can be, or the file is empty.
    """
    body, line, size = hashlib.sha256(), b"", 0
    file.seek(0)
    while following := file.readline(LONGEST_STATEMENT + 1):
        body.update(line)
        size += len(line)
        line = following
    if len(line) > LONGEST_STATEMENT or not line.endswith(b"\n"):
        raise BadCheckpoint("breaks off, or has no statement")

    def read_again() -> Iterator[bytes]:
        file.seek(0)
        while file.tell() < size:
            yield file.readline(LONGEST_STATEMENT + 1)

    return read_again, line, body.digest()


def _take(
    lines: Callable[[], Iterator[bytes]],
    number: int,
    said: Replayed,
    keep: Callable[[Promise], None],
    only: UUID | None,
) -> None:
    """Hand on what a body says, which was signed and so has the form that was written."""
    for line in lines():
        found = LINE.fullmatch(line)
        if found is None:
            said.findings.append(
                Finding(Kind.CHECKPOINT_EDITED, None, number, "has a line that says nothing")
            )
        elif found["space"]:
            said.erasures.append(UUID(found["space"].decode()))
        else:
            chain = UUID(found["chain"].decode())
            if only is None or chain == only:
                keep(
                    Promise(
                        chain.bytes, int(found["position"]), bytes.fromhex(found["hash"].decode()), number
                    )
                )


def _canonical(values: Mapping[str, Any]) -> bytes:
    return json.dumps(
        values, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode()


class SortedPromises:
    """Promises in the order of chains and positions, however many: what does not fit into memory waits in a temporary file."""

    def __init__(self) -> None:
        self._kept = sqlite3.connect("")  # without a name, so that it goes with this object
        self._kept.execute("CREATE TABLE promise (chain, position, hash, checkpoint)")

    def add(self, promise: Promise) -> None:
        """Take one in."""
        self._kept.execute("INSERT INTO promise VALUES (?, ?, ?, ?)", promise)

    def __iter__(self) -> Iterator[Promise]:
        """Yield them, each once; there is one reading."""
        with closing(self._kept):
            yield from map(
                Promise._make, self._kept.execute("SELECT DISTINCT * FROM promise ORDER BY 1, 2, 3, 4")
            )
