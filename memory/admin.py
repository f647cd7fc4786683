"""Memory in the admin, a student's, a company's and an agent's: its shape, never its words."""

from django.contrib import admin

from companion_site.vault.admin import SpaceFilter, SpaceRowAdmin
from companion_site.vault.rows import SpaceModel
from memory import models
from memory.company import admin as company_admin  # noqa: F401  registers its pages
from memory.packs import admin as packs_admin  # noqa: F401  registers its pages
from memory.student.life.kinds import JOURNALS

#: what the list of each kind shows, beside the space
COLUMNS: dict[type[SpaceModel], tuple[str, ...]] = {
    models.MemoryNode: ("content", "tier", "category", "trust", "salience", "gravity", "formed_at"),
    models.MemorySource: ("node", "kind", "source_id", "said_at"),
    models.MemoryVector: ("node", "model", "dimension", "vector"),
    models.MemoryEdge: ("source", "target", "weight", "formed_at"),
    models.Entity: ("name", "relation", "formed_at"),
    models.EntityMention: ("node", "entity", "start", "end"),
    models.MemoryChange: ("reason", "at", "undone_at"),
    models.Contradiction: ("earlier", "later", "strategy", "found_at", "settled_at"),
    models.CompressionRun: ("trigger", "requested_at", "finished_at", "cycles", "integrity_hash"),
    models.SleepRun: ("trigger", "requested_at", "finished_at", "processed", "covered", "left", "error"),
    models.Goal: ("text", "origin", "created_at", "updated_at", "closed_at"),
    models.GoalNote: ("goal", "text", "at"),
    **{journal.model: ("text", "at", "message_id") for journal in JOURNALS},
    models.Mood: ("state", "at", "message_id"),
    models.DailyMetric: ("value", "day", "received_at"),
    models.LifeFact: ("node", "detail", "noted_at", "closed_at"),
    models.Wishes: ("said", "speaks", "initiative_on", "updated_at"),
    models.Initiative: ("day", "shown_at", "taken_at", "dismissed_at"),
    models.CompanyFact: (
        "category",
        "origin",
        "confidence",
        "created_at",
        "superseded_at",
        "superseded_reason",
    ),
    models.CompanyFactVector: ("fact", "model", "dimension"),
    models.CompanyEvent: ("fact", "at", "actor", "reason"),
    models.Extraction: ("state", "conversation_id", "after_position", "until_position", "finished_at"),
    models.CompanyRefusal: ("extraction", "at"),
    models.CompanyCompression: ("before", "after", "summaries", "provider"),
    models.Suggestion: ("person", "fact", "state", "offered_at", "snoozed_until"),
    models.Deadline: ("key", "due_on", "done_at", "source"),
    models.Agent: ("name", "tick", "created_at"),
    models.AgentKey: ("agent_space_id", "name", "created_at"),
    models.AgentNode: ("content", "uses", "last_used_at", "resonance", "changed_at", "removed_at"),
    models.AgentVector: ("node", "model", "dimension", "vector"),
    models.AgentSource: ("name", "shown", "helped"),
    models.AgentContext: ("tick", "tokens", "covered", "drift", "working_set", "saved_at"),
    models.AgentSnapshot: ("archive", "nodes", "size", "tick", "taken_at"),
}
#: what is not even said to be there
HIDDEN: dict[type[SpaceModel], tuple[str, ...]] = {
    models.CompanyFact: ("content", "fingerprint", "metadata", "search"),
    models.CompanyFactVector: ("embedding",),
    models.CompanyRefusal: ("content",),
}
#: what it is filtered by beside its choices
FILTERS: dict[type[SpaceModel], tuple[str, ...]] = {models.SleepRun: ("provider",)}
for Row, columns in COLUMNS.items():
    admin.site.register(
        Row,
        SpaceRowAdmin,
        columns=("space", *columns),
        hidden=HIDDEN.get(Row, ()),
        list_filter=(*FILTERS.get(Row, ()), SpaceFilter),
    )
