"""Addresses of a person's agents."""

from django.urls import path

from memory.agents.pages import (
    agent_views,
    context_views,
    figure_views,
    list_views,
    node_views,
    pack_views,
    token_views,
)

app_name = "agents"
AGENT = "<uuid:agent_id>/"
urlpatterns = [
    path("", list_views.agents, name="agents"),
    path("new/", list_views.new, name="new"),
    path(AGENT, agent_views.overview, name="overview"),
    path(f"{AGENT}edit/", agent_views.edit, name="edit"),
    path(f"{AGENT}delete/", agent_views.delete, name="delete"),
    path(f"{AGENT}connect/", token_views.connect, name="connect"),
    path(f"{AGENT}tokens/", token_views.make_token, name="make_token"),
    path(f"{AGENT}tokens/<uuid:token_id>/revoke/", token_views.revoke_token, name="revoke_token"),
    path(f"{AGENT}packs/", pack_views.packs, name="packs"),
    path(f"{AGENT}packs/<uuid:pack_id>/mount/", pack_views.mount, name="mount"),
    path(f"{AGENT}packs/<uuid:pack_id>/unmount/", pack_views.unmount, name="unmount"),
    path(f"{AGENT}nodes/", node_views.nodes, name="nodes"),
    path(f"{AGENT}nodes/undo/", node_views.undo, name="undo"),
    path(f"{AGENT}nodes/<uuid:node_id>/", node_views.node, name="node"),
    path(f"{AGENT}nodes/<uuid:node_id>/remove/", node_views.remove, name="remove"),
    path(f"{AGENT}contexts/", context_views.contexts, name="contexts"),
    path(f"{AGENT}contexts/try/", context_views.try_out, name="try"),
    path(f"{AGENT}contexts/<uuid:context_id>/", context_views.context, name="context"),
    path(f"{AGENT}figures/", figure_views.figures, name="figures"),
]
