"""Agents' rows in the admin: their shape, never what an agent remembers."""

from django.contrib import admin

from companion_site.vault.admin import SpaceRowAdmin
from memory.models import Agent, AgentContext, AgentKey, AgentNode, AgentSnapshot, AgentSource, AgentVector


@admin.register(Agent)
class AgentAdmin(SpaceRowAdmin):
    columns = ("space", "name", "tick", "created_at")


@admin.register(AgentKey)
class AgentKeyAdmin(SpaceRowAdmin):
    columns = ("space", "agent_space_id", "name", "created_at")
    id_columns = (*SpaceRowAdmin.id_columns, "agent_space_id", "slot_id")


@admin.register(AgentNode)
class AgentNodeAdmin(SpaceRowAdmin):
    columns = ("space", "content", "uses", "last_used_at", "resonance", "changed_at", "removed_at")
    list_filter = ("type", *SpaceRowAdmin.list_filter)


@admin.register(AgentVector)
class AgentVectorAdmin(SpaceRowAdmin):
    columns = ("space", "node", "model", "dimension", "vector")
    id_columns = (*SpaceRowAdmin.id_columns, "node")


@admin.register(AgentSource)
class AgentSourceAdmin(SpaceRowAdmin):
    columns = ("space", "name", "shown", "helped")


@admin.register(AgentContext)
class AgentContextAdmin(SpaceRowAdmin):
    columns = ("space", "tick", "tokens", "covered", "drift", "working_set", "saved_at")
    id_columns = (*SpaceRowAdmin.id_columns, "client_id")
    list_filter = ("outcome", *SpaceRowAdmin.list_filter)


@admin.register(AgentSnapshot)
class AgentSnapshotAdmin(SpaceRowAdmin):
    columns = ("space", "archive", "nodes", "size", "tick", "taken_at")
