"""The rows of memory, by concern."""

from memory.models.changes import CompressionRun, Contradiction, MemoryChange
from memory.models.graph import MemoryEdge, MemoryNode, MemorySource, MemoryVector

__all__ = [
    "CompressionRun",
    "Contradiction",
    "MemoryChange",
    "MemoryEdge",
    "MemoryNode",
    "MemorySource",
    "MemoryVector",
]
