"""The rows of memory, by concern."""

from memory.models.changes import CompressionRun, Contradiction, MemoryChange
from memory.models.company import CompanyEvent, CompanyFact, CompanyFactVector
from memory.models.company_state import Deadline, Kpi, Suggestion
from memory.models.company_work import CompanyCompression, CompanyRefusal, Extraction
from memory.models.graph import MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.models.sleep import SleepRun

__all__ = [
    "CompanyCompression",
    "CompanyEvent",
    "CompanyFact",
    "CompanyFactVector",
    "CompanyRefusal",
    "CompressionRun",
    "Contradiction",
    "Deadline",
    "Extraction",
    "Kpi",
    "MemoryChange",
    "MemoryEdge",
    "MemoryNode",
    "MemorySource",
    "MemoryVector",
    "SleepRun",
    "Suggestion",
]
