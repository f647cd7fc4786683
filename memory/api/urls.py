"""Addresses of a student's memory, of a company's and of an agent's, and of knowledge packs, below those of the REST API."""

from django.urls import path

from memory.api import agent_views as agent
from memory.api import company_views as company
from memory.api import context_views as contexts
from memory.api import pack_views as packs
from memory.api import views

MEMORY, FACT, PACK = "memories/<uuid:memory_id>", "company/facts/<uuid:fact_id>", "packs/<uuid:pack_id>"
urlpatterns = [
    path("memories", views.Memories.as_view(), name="memories"),
    path("memories/search", views.LookUp.as_view(), name="search"),
    path("memories/graph", views.Graph.as_view(), name="graph"),
    path("memories/changes", views.Changes.as_view(), name="changes"),
    path("memories/changes/<uuid:change_id>/undo", views.Undo.as_view(), name="undo"),
    path(MEMORY, views.OneMemory.as_view(), name="memory"),
    path(f"{MEMORY}/corrections", views.Correct.as_view(), name="correct"),
    path("company/facts", company.Facts.as_view(), name="facts"),
    path("company/facts/search", company.FactSearch.as_view(), name="fact_search"),
    path(FACT, company.OneFact.as_view(), name="fact"),
    path(f"{FACT}/review", company.ReviewFact.as_view(), name="review_fact"),
    path(f"{FACT}/doubt", company.SettleDoubt.as_view(), name="settle_doubt"),
    path(f"{FACT}/undo", company.UndoFact.as_view(), name="undo_fact"),
    path("agent", agent.OneAgent.as_view(), name="agent"),
    path("agent/nodes", agent.Nodes.as_view(), name="nodes"),
    path("agent/nodes/list", agent.NodeList.as_view(), name="node_list"),
    path("agent/nodes/read", agent.NodesByPath.as_view(), name="nodes_by_path"),
    path("agent/nodes/remove", agent.RemoveNode.as_view(), name="remove_node"),
    path("agent/search", agent.NodeSearch.as_view(), name="node_search"),
    path("agent/recall", agent.Recall.as_view(), name="recall"),
    path("agent/contexts", contexts.Contexts.as_view(), name="contexts"),
    path("agent/contexts/build", contexts.BuildContext.as_view(), name="build_context"),
    path("agent/contexts/<uuid:context_id>", contexts.OneContext.as_view(), name="context"),
    path("agent/snapshots", contexts.Snapshots.as_view(), name="snapshots"),
    path("agent/snapshots/<uuid:snapshot_id>", contexts.OneSnapshot.as_view(), name="snapshot"),
    path("agent/figures", contexts.FiguresOfAgent.as_view(), name="figures"),
    path("agent/export", contexts.Export.as_view(), name="export"),
    path("packs", packs.Packs.as_view(), name="packs"),
    path("packs/mounted", packs.MountedPacks.as_view(), name="mounted_packs"),
    path("packs/search", packs.PackSearch.as_view(), name="pack_search"),
    path("packs/uploads", packs.Uploads.as_view(), name="uploads"),
    path("packs/uploads/<uuid:pack_id>", packs.OneUpload.as_view(), name="upload"),
    path(PACK, packs.OnePack.as_view(), name="pack"),
    path(f"{PACK}/mount", packs.MountPack.as_view(), name="mount_pack"),
    path(f"{PACK}/unmount", packs.UnmountPack.as_view(), name="unmount_pack"),
]
