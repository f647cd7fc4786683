"""A server on this machine whose answers a test scripts; what it speaks is its kind's.

Written on bare sockets because it has to do what servers should not: break off, hang, and send half an answer.
"""

import asyncio
import contextlib
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Self, TypeVar

Act = TypeVar("Act")
Request = TypeVar("Request")


class RawRequest(NamedTuple):
    """One request as it came over the wire; names of headers in small letters."""

    address: str
    headers: dict[str, str]
    body: bytes


class BreakOff(Exception):
    """The script says to drop the connection here."""


@dataclass
class ScriptedServer(Generic[Act, Request]):
    """Runs in a thread of its own; `with` starts and stops it. What happens to each request is scripted, first in, first out."""

    port: int = 0
    requests: list[Request] = field(default_factory=list)
    _script: deque[Act] = field(default_factory=deque)

    def script(self, *acts: Act) -> None:
        """Have the next requests meet these acts, in order."""
        self._script.extend(acts)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _parse(self, raw: RawRequest) -> Request:
        """Return a request as tests look at it."""
        raise NotImplementedError  # said by each server

    def _act_for(self, request: Request) -> Act:
        """Return what a request meets: what the script says, in turn, and beyond it what is usual."""
        return self._script.popleft() if self._script else self._unscripted(request)

    def _unscripted(self, request: Request) -> Act:
        """Return what a request meets beyond the script."""
        raise NotImplementedError  # said by each server

    async def _play(self, act: Act, request: Request, writer: asyncio.StreamWriter) -> None:
        """Answer; `BreakOff` and a broken connection end it at once."""
        raise NotImplementedError  # said by each server

    def __enter__(self) -> Self:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        if not started.wait(timeout=60):
            raise RuntimeError("the server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(timeout=10)

    async def _serve(self, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._meet, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._stop.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, request after request."""
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while (raw := await _read(reader)) is not None:
                request = self._parse(raw)
                self.requests.append(request)
                await self._play(self._act_for(request), request, writer)
        except (BreakOff, ConnectionError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            self._open.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


def send_head(writer: asyncio.StreamWriter, status: int, headers: dict[str, Any]) -> None:
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    writer.write("\r\n".join(lines).encode())


async def send_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send a piece of a chunked body; an empty one ends it."""
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


async def send_answer(
    writer: asyncio.StreamWriter,
    body: bytes,
    *,
    status: int = 200,
    retry_after: str | None = None,
    cut: bool = False,
) -> None:
    """Send a body of JSON; break off in the middle of it where it is `cut`."""
    waiting = {} if retry_after is None else {"retry-after": retry_after}
    send_head(writer, status, {"content-type": "application/json", "content-length": len(body), **waiting})
    writer.write(body[: len(body) // 2] if cut else body)
    await writer.drain()
    if cut:
        raise BreakOff


async def _read(reader: asyncio.StreamReader) -> RawRequest | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip().split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    if headers.get("transfer-encoding") == "chunked":
        raise ConnectionError("bodies are sent with their length")
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return RawRequest(first.split()[1], headers, body)
