"""Agents' rows in the admin: their shape, never what an agent remembers."""

from django.contrib import admin

from companion_site.vault.admin import SpaceRowAdmin
from memory.models import Agent, AgentContext, AgentKey, AgentNode, AgentSnapshot, AgentSource, AgentVector

for model, columns in (
    (Agent, ("name", "tick", "created_at")),
    (AgentKey, ("agent_space_id", "name", "created_at")),
    (AgentNode, ("content", "uses", "last_used_at", "resonance", "changed_at", "removed_at")),
    (AgentVector, ("node", "model", "dimension", "vector")),
    (AgentSource, ("name", "shown", "helped")),
    (AgentContext, ("tick", "tokens", "covered", "drift", "working_set", "saved_at")),
    (AgentSnapshot, ("archive", "nodes", "size", "tick", "taken_at")),
):
    admin.site.register(model, SpaceRowAdmin, columns=("space", *columns))
