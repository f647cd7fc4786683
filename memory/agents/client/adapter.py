"""How the orchestrator reaches a memory."""

from typing import Any, Protocol


class Adapter(Protocol):
    """One memory of one agent, by the seven tools (`memory.agents.mcp.names`)."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what a tool answers.

        Raises:
            MemoryUnreachable: nobody answered; it may have been carried out nevertheless.
            MemoryRefused: the memory says no.
        """
        ...
