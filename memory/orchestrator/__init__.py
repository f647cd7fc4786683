"""An agent's side of its memory: a library for programs, over the seven tools or in the site's own process.

It needs neither Django nor a database, only numpy, scipy and, for the adapters that it is used with, `mcp` and
`cryptography`. How to use it: docs/kompanion.md.
"""

from memory.orchestrator.adapter import Adapter
from memory.orchestrator.contexts import Context, Task
from memory.orchestrator.errors import (
    MemoryRefused,
    MemoryUnreachable,
    NotLetIn,
    OrchestratorError,
    PendingFull,
    QueueInUse,
)
from memory.orchestrator.in_process import InProcessAdapter
from memory.orchestrator.mcp_adapter import McpAdapter
from memory.orchestrator.orchestrator import MemoryOrchestrator
from memory.orchestrator.pending import PendingCalls
from memory.orchestrator.sealed_pending import SealedPendingCalls

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
