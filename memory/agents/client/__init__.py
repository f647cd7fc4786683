"""An agent's side of its memory: a library for programs, over the seven tools or in the site's own process.

It needs neither Django nor a database, only numpy, scipy and, for the adapters that it is used with, `mcp` and
`cryptography`. How to use it: docs/kompanion.md.
"""

from memory.agents.client.adapter import Adapter
from memory.agents.client.contexts import Context, Task
from memory.agents.client.errors import (
    MemoryRefused,
    MemoryUnreachable,
    NotLetIn,
    OrchestratorError,
    PendingFull,
    QueueInUse,
)
from memory.agents.client.in_process import InProcessAdapter
from memory.agents.client.mcp_adapter import McpAdapter
from memory.agents.client.orchestrator import MemoryOrchestrator
from memory.agents.client.pending import PendingCalls
from memory.agents.client.sealed_pending import SealedPendingCalls

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
