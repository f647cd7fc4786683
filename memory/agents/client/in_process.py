"""Reaching a memory in the site's own process: the same tools and the same refusals, without a socket."""

from typing import TYPE_CHECKING, Any

from memory.agents.client.errors import MemoryRefused, MemoryUnreachable

if TYPE_CHECKING:
    from memory.agents.access import AgentAccess


class InProcessAdapter:
    """A memory that is open here."""

    def __init__(self, access: "AgentAccess") -> None:
        self._access = access

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        # Here and not above: only who works inside the site has Django.
        from memory.agents.mcp.bearer import Caller
        from memory.agents.mcp.server import answer_call
        from memory.agents.mcp.threads import in_thread

        caller = Caller(self._access, frozenset({"agent"}))
        result = await in_thread(answer_call, lambda: caller, tool, arguments)
        told: dict[str, Any] = result.structured_content or {}
        if not result.is_error:
            return told
        error = told["error"]
        if error["retryable"]:
            raise MemoryUnreachable(error["code"])
        raise MemoryRefused(error["code"], error["message"])
