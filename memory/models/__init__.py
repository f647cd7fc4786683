"""The rows of memory, by concern."""

from memory.models.agents import (
    Agent,
    AgentContext,
    AgentKey,
    AgentNode,
    AgentSnapshot,
    AgentSource,
    AgentVector,
    NodeType,
)
from memory.models.changes import CompressionRun, Contradiction, MemoryChange, SleepRun
from memory.models.company import CompanyEvent, CompanyFact, CompanyFactVector
from memory.models.company_state import Deadline, Kpi, Suggestion
from memory.models.company_work import CompanyCompression, CompanyRefusal, Extraction
from memory.models.graph import Entity, EntityMention, MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.models.life import DailyMetric, Goal, GoalNote, Gratitude, Initiative, LifeFact, Mood, Wishes
from memory.models.packs import Pack, PackEdge, PackMount, PackNode, PackPosting, PackVector
