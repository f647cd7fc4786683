"""Memory in the admin, a student's, a company's and an agent's: its shape, never its words."""

from django.contrib import admin

from companion_site.vault.admin import SpaceFilter, SpaceRowAdmin
from companion_site.vault.rows import SpaceModel
from memory.company import admin as company_admin  # noqa: F401  registers its pages
from memory.models import (
    Agent,
    AgentContext,
    AgentKey,
    AgentNode,
    AgentSnapshot,
    AgentSource,
    AgentVector,
    CompanyCompression,
    CompanyEvent,
    CompanyFact,
    CompanyFactVector,
    CompanyRefusal,
    CompressionRun,
    Contradiction,
    DailyMetric,
    Deadline,
    Entity,
    EntityMention,
    Extraction,
    Goal,
    GoalNote,
    Initiative,
    LifeFact,
    MemoryChange,
    MemoryEdge,
    MemoryNode,
    MemorySource,
    MemoryVector,
    Mood,
    SleepRun,
    Suggestion,
    Wishes,
)
from memory.packs import admin as packs_admin  # noqa: F401  registers its pages
from memory.student.life.kinds import JOURNALS

#: what the list of each kind shows, beside the space
COLUMNS: dict[type[SpaceModel], tuple[str, ...]] = {
    MemoryNode: ("content", "tier", "category", "trust", "salience", "gravity", "formed_at"),
    MemorySource: ("node", "kind", "source_id", "said_at"),
    MemoryVector: ("node", "model", "dimension", "vector"),
    MemoryEdge: ("source", "target", "weight", "formed_at"),
    Entity: ("name", "relation", "formed_at"),
    EntityMention: ("node", "entity", "start", "end"),
    MemoryChange: ("reason", "at", "undone_at"),
    Contradiction: ("earlier", "later", "strategy", "found_at", "settled_at"),
    CompressionRun: ("trigger", "requested_at", "finished_at", "cycles", "integrity_hash"),
    SleepRun: ("trigger", "requested_at", "finished_at", "processed", "covered", "left", "error"),
    Goal: ("text", "origin", "created_at", "updated_at", "closed_at"),
    GoalNote: ("goal", "text", "at"),
    **{journal.model: ("text", "at", "message_id") for journal in JOURNALS},
    Mood: ("state", "at", "message_id"),
    DailyMetric: ("value", "day", "received_at"),
    LifeFact: ("node", "detail", "noted_at", "closed_at"),
    Wishes: ("said", "speaks", "initiative_on", "updated_at"),
    Initiative: ("day", "shown_at", "taken_at", "dismissed_at"),
    CompanyFact: ("category", "origin", "confidence", "created_at", "superseded_at", "superseded_reason"),
    CompanyFactVector: ("fact", "model", "dimension"),
    CompanyEvent: ("fact", "at", "actor", "reason"),
    Extraction: ("state", "conversation_id", "after_position", "until_position", "finished_at"),
    CompanyRefusal: ("extraction", "at"),
    CompanyCompression: ("before", "after", "summaries", "provider"),
    Suggestion: ("person", "fact", "state", "offered_at", "snoozed_until"),
    Deadline: ("key", "due_on", "done_at", "source"),
    Agent: ("name", "tick", "created_at"),
    AgentKey: ("agent_space_id", "name", "created_at"),
    AgentNode: ("content", "uses", "last_used_at", "resonance", "changed_at", "removed_at"),
    AgentVector: ("node", "model", "dimension", "vector"),
    AgentSource: ("name", "shown", "helped"),
    AgentContext: ("tick", "tokens", "covered", "drift", "working_set", "saved_at"),
    AgentSnapshot: ("archive", "nodes", "size", "tick", "taken_at"),
}
#: what is not even said to be there
HIDDEN: dict[type[SpaceModel], tuple[str, ...]] = {
    CompanyFact: ("content", "fingerprint", "metadata", "search"),
    CompanyFactVector: ("embedding",),
    CompanyRefusal: ("content",),
}
#: what it is filtered by beside its choices
FILTERS: dict[type[SpaceModel], tuple[str, ...]] = {SleepRun: ("provider",)}
for Row, columns in COLUMNS.items():
    admin.site.register(
        Row,
        SpaceRowAdmin,
        columns=("space", *columns),
        hidden=HIDDEN.get(Row, ()),
        list_filter=(*FILTERS.get(Row, ()), SpaceFilter),
    )
