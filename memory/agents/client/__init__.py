"""An agent's side of its memory: a library for programs, over the seven tools or in the site's own process.

It needs neither Django nor a database, only numpy, scipy and, for the adapters that it is used with, `mcp` and
`cryptography`. How to use it: docs/kompanion.md.
"""

from memory.agents.client.adapters import (
    Adapter,
    InProcessAdapter,
    McpAdapter,
    MemoryRefused,
    MemoryUnreachable,
    NotLetIn,
    OrchestratorError,
    PendingFull,
    QueueInUse,
)
from memory.agents.client.contexts import Context
from memory.agents.client.orchestrator import MemoryOrchestrator
from memory.agents.client.pending import PendingCalls, SealedPendingCalls
from memory.agents.frames import Task

__all__ = [
    "Adapter",
    "Context",
    "InProcessAdapter",
    "McpAdapter",
    "MemoryOrchestrator",
    "MemoryRefused",
    "MemoryUnreachable",
    "NotLetIn",
    "OrchestratorError",
    "PendingCalls",
    "PendingFull",
    "QueueInUse",
    "SealedPendingCalls",
    "Task",
]
