"""What both SDKs need: a provider's base, a client for each event loop, and their exceptions turned into ours.

A pooled connection belongs to the loop that opened it. The web process has one loop for its whole life; a worker
that calls from synchronous code has a new one for each call, and must not meet the connections of the last.
"""

import asyncio
import functools
import json
import logging
import ssl
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2

from companion_site.llm.errors import ProviderTimeout, ProviderUnavailable, RateLimited, RequestRejected
from companion_site.llm.types import Limits, LlmRole


class ClientPerLoop:
    """Makes a client when a loop first asks for one and hands out the same one to that loop from then on."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = weakref.WeakKeyDictionary()

    def get(self) -> Any:
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


class SdkProvider:
    """A provider with an SDK of its own; subclasses put requests into its form.

    Attributes:
        sdk: the SDK's module.
        make_client: makes one of its asynchronous clients.
        sees: whether its models may be shown pictures; one that refuses them finds out by itself.
    """

    name: str
    sdk: Any
    make_client: Any

    def __init__(
        self, *, api_key: str, base_url: str, models: dict[LlmRole, str], limits: Limits, sees: bool = True
    ) -> None:
        silence_sdk_logs()
        self.sees = sees
        self._models = models
        self._clients = ClientPerLoop(
            lambda: self.make_client(
                api_key=api_key,
                base_url=base_url,
                max_retries=0,
                timeout=httpx2.Timeout(limits.total_s, connect=limits.connect_s),
                http_client=self.sdk.DefaultAsyncHttpxClient(verify=trusted_authorities()),
            )
        )

    @property
    def client(self) -> Any:
        """The running loop's client."""
        return self._clients.get()

    def model_for(self, role: LlmRole) -> str:
        return self._models[role]

    async def aclose(self) -> None:
        await self._clients.aclose()


@functools.cache
def trusted_authorities() -> ssl.SSLContext:
    """Return whom every client believes about a server's name: the list is long, and read once a process."""
    return httpx2.create_ssl_context()


def silence_sdk_logs() -> None:
    """Keep the SDKs from logging request bodies, which they do at DEBUG; an environment variable can ask them to.

    They read that when they are imported, so this comes after.
    """
    for name in ("anthropic", "openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)


#: Error types in a stream that has already begun with status 200, and the status each stands for.
_STATUS_OF_TYPE = {
    "rate_limit_error": 429,
    "overloaded_error": 529,
    "api_error": 500,
    "timeout_error": 504,
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
}


@contextmanager
def translated_errors(sdk: Any) -> Iterator[None]:
    """Turn what `sdk` (the module `anthropic` or `openai`) raises into a `ProviderUnavailable`."""
    try:
        with translated_transport():
            yield
    except sdk.APIStatusError as error:
        status = error.status_code
        raise (_from_type(error) if status < 400 else for_status(status, error.response.headers)) from None
    except sdk.APITimeoutError:
        raise ProviderTimeout from None
    except sdk.APIError as error:
        raise _from_type(error) from None


@contextmanager
def translated_transport() -> Iterator[None]:
    """Turn what goes wrong between us and a provider, its SDK aside, into a `ProviderUnavailable`."""
    try:
        yield
    except httpx2.TimeoutException:
        raise ProviderTimeout from None
    except (httpx2.HTTPError, json.JSONDecodeError, UnicodeDecodeError):
        # The last two: an answer, or an event of the stream, that cannot be read.
        raise ProviderUnavailable from None


def _from_type(error: Any) -> ProviderUnavailable:
    kind = getattr(error, "type", None) or getattr(error, "code", None)
    return for_status(_STATUS_OF_TYPE.get(str(kind)), {})


def for_status(status: int | None, headers: Mapping[str, str]) -> ProviderUnavailable:
    """Return what an answer with that status means; None where there was none."""
    if status == 429:
        return RateLimited(retry_after_s=_read_retry_after(headers))
    if status in {408, 504}:
        return ProviderTimeout(answered=status)
    if status is not None and 400 <= status < 500:
        return RequestRejected(answered=status)
    return ProviderUnavailable(answered=status)


def _read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a provider asks us to wait; a date, which none of them sends, counts as not said."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
