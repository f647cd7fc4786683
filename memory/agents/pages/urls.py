"""Addresses of a person's agents."""

from django.urls import path

from memory.agents.pages import views

app_name = "agents"
AGENT = "<uuid:agent_id>/"
urlpatterns = [
    path("", views.agents, name="agents"),
    path("new/", views.new, name="new"),
    path(AGENT, views.overview, name="overview"),
    path(f"{AGENT}edit/", views.edit, name="edit"),
    path(f"{AGENT}delete/", views.delete, name="delete"),
    path(f"{AGENT}connect/", views.connect, name="connect"),
    path(f"{AGENT}tokens/", views.make_token, name="make_token"),
    path(f"{AGENT}tokens/<uuid:token_id>/revoke/", views.revoke, name="revoke_token"),
    path(f"{AGENT}packs/", views.packs, name="packs"),
    path(f"{AGENT}packs/<uuid:pack_id>/mount/", views.mount, name="mount"),
    path(f"{AGENT}packs/<uuid:pack_id>/unmount/", views.unmount, name="unmount"),
    path(f"{AGENT}nodes/", views.nodes, name="nodes"),
    path(f"{AGENT}nodes/undo/", views.undo, name="undo"),
    path(f"{AGENT}nodes/<uuid:node_id>/", views.node, name="node"),
    path(f"{AGENT}nodes/<uuid:node_id>/remove/", views.remove, name="remove"),
    path(f"{AGENT}contexts/", views.contexts, name="contexts"),
    path(f"{AGENT}contexts/try/", views.try_out, name="try"),
    path(f"{AGENT}contexts/<uuid:context_id>/", views.context, name="context"),
    path(f"{AGENT}figures/", views.figures, name="figures"),
]
