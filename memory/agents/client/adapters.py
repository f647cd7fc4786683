"""How the orchestrator reaches a memory, in the site's own process or over MCP with the official library, and what can go wrong."""

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import httpx2
    from mcp.types import CallToolResult

    from companion_site.accounts.access import Access
#: the protocol's version that needs no handshake
STATELESS = "2026-07-28"
TIMEOUT_S = 30.0
#: statuses of a request that is larger than may be, and of those that another time may be answered
TOO_LARGE, MAY_PASS = 413, (408, 425, 429)


class OrchestratorError(Exception):
    """Base of the tree."""


class MemoryUnreachable(OrchestratorError):
    """Nobody answered. Whether the call was carried out is not known."""


class MemoryRefused(OrchestratorError):
    """The memory says no."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class NotLetIn(MemoryRefused):
    """The memory does not listen to this program, whatever it asks, or is not at that address. What waits goes on waiting."""


class PendingFull(OrchestratorError):
    """As many calls wait as may; this one was not kept."""


class QueueInUse(OrchestratorError):
    """Another process has this queue open."""


class Adapter(Protocol):
    """One memory of one agent, by the seven tools (`memory.agents.mcp.protocol`)."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what a tool answers. Raises MemoryUnreachable: nobody answered; it may have been carried out nevertheless."""
        ...


class InProcessAdapter:
    """A memory that is open here."""

    def __init__(self, access: "Access") -> None:
        self._access = access

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        # Here and not above: only who works inside the site has Django.
        from memory.agents.mcp.server import answer_call, in_thread
        from memory.agents.mcp.toolset import Caller

        caller = Caller(self._access, frozenset({"agent"}))
        return _answer(await in_thread(answer_call, lambda: caller, tool, arguments))


class McpAdapter:
    """A memory at an address, opened by a token; a context manager, so that its connection is closed."""

    def __init__(self, url: str, token: str) -> None:
        import httpx2

        self._url = url
        #: of the last answer, whoever gave it
        self._status = 0
        self._http = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {token}"},
            timeout=TIMEOUT_S,
            event_hooks={"response": [self._note_status]},
        )

    async def __aenter__(self) -> "McpAdapter":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        import httpx2
        from mcp.shared.exceptions import MCPError

        # What the library raises when something between here and the memory goes wrong, alone or in a group.
        try:
            result = await self._ask(tool, arguments)
        except (MCPError, httpx2.HTTPError, OSError, ExceptionGroup) as error:
            for leaf in _leaves(error):
                if isinstance(leaf, MCPError):
                    raise self._trouble(leaf.error.data, leaf.error.message) from None
                if isinstance(leaf, httpx2.HTTPError | OSError):
                    raise MemoryUnreachable(type(leaf).__name__) from None
            raise
        return _answer(result)

    async def _note_status(self, response: "httpx2.Response") -> None:
        self._status = response.status_code

    def _trouble(self, data: object, message: str) -> Exception:
        """Return what it means that no tool was asked; who does not say why, as ours do, is no memory, or something in between."""
        if self._status == TOO_LARGE:
            return MemoryRefused("mcp.too-large", message)
        if isinstance(data, dict) and isinstance(data.get("code"), str):
            return MemoryUnreachable(message) if data.get("retryable") else NotLetIn(data["code"], message)
        if 300 <= self._status < 500 and self._status not in MAY_PASS:
            told = f"No memory answers at {self._url} (status {self._status}). Look at the address."
            return NotLetIn("orchestrator.wrong-address", told)
        return MemoryUnreachable(message)

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> "CallToolResult":
        from mcp.client.client import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult

        transport = streamable_http_client(self._url, http_client=self._http)
        # Straight from the session: the client's own `call_tool` lists all tools before its first answer.
        async with Client(transport, mode=STATELESS, cache=None) as client:
            return await client.session.send_request(
                CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments)),
                CallToolResult,
                request_read_timeout_seconds=TIMEOUT_S,
            )


def _answer(result: "CallToolResult") -> dict[str, Any]:
    """Return what a tool told. Raises MemoryUnreachable, MemoryRefused: as `Adapter.call` says."""
    told: dict[str, Any] = dict(result.structured_content or {})
    if not result.is_error:
        return told
    error = told.get("error")
    error = error if isinstance(error, dict) else {}
    code = str(error.get("code", "mcp.error"))
    if error.get("retryable"):
        raise MemoryUnreachable(code)
    raise MemoryRefused(code, str(error.get("message", "")))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _leaves(part)
    else:
        yield error
