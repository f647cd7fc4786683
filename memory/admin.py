"""The memory graph in the admin: its shape, never its words."""

from django.contrib import admin

from companion_site.vault.admin import SpaceRowAdmin
from memory.agents import admin as agents_admin  # noqa: F401  registers its pages
from memory.company import admin as company_admin  # noqa: F401  registers its pages
from memory.models import (
    CompressionRun,
    Contradiction,
    DailyMetric,
    Entity,
    EntityMention,
    Goal,
    GoalNote,
    Gratitude,
    Initiative,
    LifeFact,
    MemoryChange,
    MemoryEdge,
    MemoryNode,
    MemorySource,
    MemoryVector,
    Mood,
    SleepRun,
    Wishes,
)
from memory.packs import admin as packs_admin  # noqa: F401  registers its pages


@admin.register(MemoryNode)
class MemoryNodeAdmin(SpaceRowAdmin):
    columns = ("space", "content", "tier", "category", "trust", "salience", "gravity", "formed_at")
    list_filter = ("modality", "tier", "category", "trust", *SpaceRowAdmin.list_filter)


@admin.register(MemorySource)
class MemorySourceAdmin(SpaceRowAdmin):
    columns = ("space", "node", "kind", "source_id", "said_at")
    id_columns = (*SpaceRowAdmin.id_columns, "node", "source_id", "conversation_id")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


@admin.register(MemoryVector)
class MemoryVectorAdmin(SpaceRowAdmin):
    columns = ("space", "node", "model", "dimension", "vector")
    id_columns = (*SpaceRowAdmin.id_columns, "node")


@admin.register(MemoryEdge)
class MemoryEdgeAdmin(SpaceRowAdmin):
    columns = ("space", "source", "target", "weight", "formed_at")
    id_columns = (*SpaceRowAdmin.id_columns, "source", "target")
    list_filter = ("type", *SpaceRowAdmin.list_filter)


@admin.register(Entity)
class EntityAdmin(SpaceRowAdmin):
    columns = ("space", "name", "relation", "formed_at")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


@admin.register(EntityMention)
class EntityMentionAdmin(SpaceRowAdmin):
    columns = ("space", "node", "entity", "start", "end")
    id_columns = (*SpaceRowAdmin.id_columns, "node", "entity")
    list_filter = ("type", *SpaceRowAdmin.list_filter)


@admin.register(MemoryChange)
class MemoryChangeAdmin(SpaceRowAdmin):
    columns = ("space", "reason", "at", "undone_at")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


@admin.register(Contradiction)
class ContradictionAdmin(SpaceRowAdmin):
    columns = ("space", "earlier", "later", "strategy", "found_at", "settled_at")
    id_columns = (*SpaceRowAdmin.id_columns, "earlier", "later")
    list_filter = ("state", "found_by", "strategy", *SpaceRowAdmin.list_filter)


@admin.register(CompressionRun)
class CompressionRunAdmin(SpaceRowAdmin):
    columns = ("space", "trigger", "requested_at", "finished_at", "cycles", "integrity_hash")
    list_filter = ("state", "trigger", *SpaceRowAdmin.list_filter)


@admin.register(SleepRun)
class SleepRunAdmin(SpaceRowAdmin):
    columns = ("space", "trigger", "requested_at", "finished_at", "processed", "covered", "left", "error")
    list_filter = ("state", "trigger", "provider", *SpaceRowAdmin.list_filter)


@admin.register(Goal)
class GoalAdmin(SpaceRowAdmin):
    columns = ("space", "text", "origin", "created_at", "updated_at", "closed_at")
    id_columns = (*SpaceRowAdmin.id_columns, "message_id")
    list_filter = ("state", "origin", *SpaceRowAdmin.list_filter)


@admin.register(GoalNote)
class GoalNoteAdmin(SpaceRowAdmin):
    columns = ("space", "goal", "text", "at")
    id_columns = (*SpaceRowAdmin.id_columns, "goal", "message_id")


@admin.register(Gratitude)
class GratitudeAdmin(SpaceRowAdmin):
    columns = ("space", "text", "at", "message_id")
    id_columns = (*SpaceRowAdmin.id_columns, "message_id")


@admin.register(Mood)
class MoodAdmin(SpaceRowAdmin):
    columns = ("space", "state", "at", "message_id")
    id_columns = (*SpaceRowAdmin.id_columns, "message_id")
    list_filter = ("origin", *SpaceRowAdmin.list_filter)


@admin.register(DailyMetric)
class DailyMetricAdmin(SpaceRowAdmin):
    columns = ("space", "value", "day", "received_at")
    list_filter = ("name", *SpaceRowAdmin.list_filter)


@admin.register(LifeFact)
class LifeFactAdmin(SpaceRowAdmin):
    columns = ("space", "node", "detail", "noted_at", "closed_at")
    id_columns = (*SpaceRowAdmin.id_columns, "node")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)


@admin.register(Wishes)
class WishesAdmin(SpaceRowAdmin):
    columns = ("space", "said", "speaks", "initiative_on", "updated_at")


@admin.register(Initiative)
class InitiativeAdmin(SpaceRowAdmin):
    columns = ("space", "day", "shown_at", "taken_at", "dismissed_at")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)
