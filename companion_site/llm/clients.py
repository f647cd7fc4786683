"""SDK clients, one for each event loop.

A pooled connection belongs to the loop that opened it. The web process has one loop for its whole life; a worker
that calls from synchronous code has a new one for each call, and must not meet the connections of the last.
"""

import asyncio
import functools
import logging
import ssl
import weakref
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import httpx2


class _Closable(Protocol):
    async def close(self) -> None: ...


C = TypeVar("C", bound=_Closable)


class ClientPerLoop(Generic[C]):
    """Makes a client when a loop first asks for one and hands out the same one to that loop from then on."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, C] = weakref.WeakKeyDictionary()

    def get(self) -> C:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = self._make()
        return client

    async def aclose(self) -> None:
        """Close the running loop's client, if it has one."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()


@functools.cache
def trusted_authorities() -> ssl.SSLContext:
    """Return whom every client believes about a server's name: the list is long, and read once a process."""
    return httpx2.create_ssl_context()


def silence_sdk_logs() -> None:
    """Keep the SDKs from logging request bodies, which they do at DEBUG; an environment variable can ask them to."""
    for name in ("anthropic", "openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)
