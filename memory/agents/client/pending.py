"""Calls to a memory: made, or waiting until it is back, in the order they were made, in memory or on disk.

Every call that waits here can be made twice: a save has its client's id, and an upsert says what shall be, not what to add.
What is sent is plain JSON of a bounded size, and refused here where no memory could ever take it: a call that cannot be sent
would wait for ever, and all that were made after it behind it.

What waits is memory, so on disk it is never in the clear: each call is one file, AES-256-GCM under a key made from the agent's
token (HKDF-SHA256) and bound to its place in the order. Whoever has the token can read the memory itself, so the queue gives
nobody more than that. A queue under another token stays as it is, unread and undeleted: keep using the old one.
"""

import asyncio
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memory.agents.client.adapters import (
    Adapter,
    MemoryRefused,
    MemoryUnreachable,
    NotLetIn,
    PendingFull,
    QueueInUse,
)
from memory.agents.mcp.protocol import REQUEST_BYTES

_WAITING, _ASIDE, _LOCK = ".pending", ".refused", ".lock"
_NONCE_BYTES = 12
_INFO = b"companion: pending calls, version 1"


@dataclass(frozen=True)
class PendingCall:
    """One call that waits."""

    id: int
    tool: str
    arguments: dict[str, Any]


class PendingCalls:
    """What waits, in this process's memory alone: gone when the program ends."""

    def __init__(self, *, most: int = 1_000, most_bytes: int = 64 * 2**20) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._waiting: OrderedDict[int, tuple[PendingCall, int]] = OrderedDict()
        self._bytes = self._last = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def first(self) -> PendingCall | None:
        """Return what has waited longest."""
        return next(iter(self._waiting.values()))[0] if self._waiting else None

    def add(self, tool: str, arguments: dict[str, Any]) -> PendingCall:
        """Have a call wait. Raises PendingFull: as many wait as may."""
        call = PendingCall(self._last + 1, tool, arguments)
        size = len(json.dumps(arguments).encode())
        if len(self) >= self._most or self._bytes + size > self._most_bytes:
            raise PendingFull(f"{len(self)} calls wait already")
        self._keep(call)
        self._hold(call, size)
        return call

    def done(self, call: PendingCall) -> None:
        """Forget a call that was answered."""
        self._let_go(call, aside=False)

    def refused(self, call: PendingCall) -> None:
        """Take out a call that the memory will never accept, so that those behind it are not held up."""
        self._let_go(call, aside=True)

    def close(self) -> None:
        """Let others use what this holds on to."""

    def _hold(self, call: PendingCall, size: int) -> None:
        self._waiting[call.id] = call, size
        self._bytes += size
        self._last = max(self._last, call.id)

    def _let_go(self, call: PendingCall, *, aside: bool) -> None:
        self._bytes -= self._waiting.pop(call.id)[1]

    def _keep(self, call: PendingCall) -> None:
        """Make a call outlast this process, where it shall."""


class SealedPendingCalls(PendingCalls):
    """What waits, in a directory that one process uses at a time.

    Attributes:
        unreadable: how many files are there that this key does not open; they are left alone.
    """

    def __init__(self, path: str | Path, *, token: str, **bounds: int) -> None:
        """
        Args:
            path: a directory of its own; made where there is none.
            token: the agent's.

        Raises:
            QueueInUse: another process has it open.
        """
        super().__init__(**bounds)
        # A token is random enough to need no stretching.
        self._box = AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=_INFO).derive(token.encode()))
        self._path = Path(path).expanduser()
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock: int | None = _lock(self._path / _LOCK)
        self.unreadable = 0
        self._load()

    def close(self) -> None:
        """Let another process use the directory."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _load(self) -> None:
        for file in self._path.glob("*.part"):
            file.unlink()
        self._last = max(map(_number, self._path.iterdir()), default=0)
        for file in sorted(self._path.glob(f"*{_WAITING}")):
            sealed = file.read_bytes()
            try:
                opened = self._box.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], file.stem.encode())
            except (InvalidTag, ValueError):
                self.unreadable += 1
                continue
            said = json.loads(opened)
            self._hold(PendingCall(_number(file), said["tool"], said["arguments"]), len(opened))

    def _keep(self, call: PendingCall) -> None:
        """Write a call so that it is there whole or not at all, and stays when the power goes."""
        name = _name(call)
        nonce = os.urandom(_NONCE_BYTES)
        said = json.dumps({"tool": call.tool, "arguments": call.arguments}).encode()
        part = self._path / f"{name}.part"
        # What a write that failed (a full disk) left behind is written over.
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(nonce + self._box.encrypt(nonce, said, name.encode()))
            file.flush()
            os.fsync(file.fileno())
        part.rename(self._path / f"{name}{_WAITING}")
        self._sync()

    def _let_go(self, call: PendingCall, *, aside: bool) -> None:
        """Remove a call's file, or put it out of the way for somebody to look at."""
        waiting = self._path / f"{_name(call)}{_WAITING}"
        if aside:
            waiting.rename(waiting.with_suffix(_ASIDE))
        else:
            waiting.unlink(missing_ok=True)
        self._sync()
        super()._let_go(call, aside=aside)

    def _sync(self) -> None:
        directory = os.open(self._path, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _name(call: PendingCall) -> str:
    return f"{call.id:016d}"


def _number(file: Path) -> int:
    return int(file.stem) if file.stem.isdecimal() else 0


def _lock(path: Path) -> int:
    """Return an open file that no other process has locked."""
    import fcntl

    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise QueueInUse(str(path.parent)) from None
    return file


#: what the protocol puts around the arguments of a call takes less than this
_AROUND_BYTES = 4_096
#: Lists and objects in each other; a memory takes far fewer, and parsers give up not far above.
MOST_DEPTH = 64

T = TypeVar("T")
#: how long nobody is asked after nobody answered: at first, and at the most
PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0


def as_sent(value: T) -> T:
    """Return a value of JSON as it arrives: what is half a pair of surrogates, which UTF-8 cannot carry, is replaced.

    Raises:
        MemoryRefused: it is no JSON, nested too deeply, or more than one call may carry.
    """
    if _is_deeper(value, MOST_DEPTH):
        raise MemoryRefused("orchestrator.too-deep", "It is nested too deeply.")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise MemoryRefused("orchestrator.not-json", "It holds what JSON does not.") from None
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if len(paired.encode()) > REQUEST_BYTES - _AROUND_BYTES:
        raise MemoryRefused("orchestrator.too-large", "It is more than one call may carry.")
    arrived: T = json.loads(paired)
    return arrived


def _is_deeper(value: Any, room: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, list | tuple) and (
        room == 0 or any(_is_deeper(part, room - 1) for part in value)
    )


class Reaching:
    """The way to one memory, with what waits to go over it."""

    def __init__(self, adapter: Adapter, pending: PendingCalls, *, clock_s: Callable[[], float]) -> None:
        self.pending = pending
        self._adapter, self._clock_s = adapter, clock_s
        self._pause_s = self._asks_again_s = 0.0
        self._in_order = asyncio.Lock()

    async def ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what a tool answers. Raises MemoryUnreachable: nobody answers, or nobody did a moment ago. MemoryRefused."""
        sent = as_sent(arguments)
        if self._clock_s() < self._asks_again_s:
            raise MemoryUnreachable("nobody answered a moment ago")
        paused_s, self._pause_s = self._pause_s, 0.0
        try:
            return await self._adapter.call(tool, sent)
        except MemoryUnreachable:
            self._pause_s = min(max(PAUSE_S, 2 * paused_s), LONGEST_PAUSE_S)
            self._asks_again_s = self._clock_s() + self._pause_s
            raise

    async def write(self, tool: str, arguments: dict[str, Any]) -> None:
        """Make a call that has to be made, or have it wait behind those that wait already.

        Raises:
            MemoryRefused: the memory says no. PendingFull: nobody answers, and no more can wait.
        """
        sent = as_sent(arguments)
        async with self._in_order:
            await self._replay()
            if not len(self.pending):
                try:
                    await self.ask(tool, sent)
                    return
                except MemoryUnreachable:
                    pass
            self.pending.add(tool, sent)

    async def replay(self) -> int:
        """Make the calls that wait; return how many were made. Stops where nobody answers.

        Raises:
            NotLetIn: the memory does not listen to this program; everything waits on.
        """
        async with self._in_order:
            return await self._replay()

    async def _replay(self) -> int:
        made = 0
        while (call := self.pending.first()) is not None:
            try:
                await self.ask(call.tool, call.arguments)
            except MemoryUnreachable:
                break
            except NotLetIn:
                raise
            except MemoryRefused:
                self.pending.refused(call)
                continue
            self.pending.done(call)
            made += 1
        return made
