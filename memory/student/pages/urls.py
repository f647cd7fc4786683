"""Addresses of a student's own memory, their mood and goals among them."""

from django.urls import path
from django.views.generic import RedirectView

from memory.student.life.kinds import KINDS
from memory.student.pages import about_me, changes, ledger, life, memories, packs, progress, runs

app_name = "memory"
urlpatterns = [
    path("", about_me.about_me, name="about_me"),
    path("about/", memories.privacy, name="privacy"),
    path("history/", memories.history, name="history"),
    path("timeline/", RedirectView.as_view(pattern_name="memory:history")),
    path("held/", memories.held, name="held"),
    path("<uuid:node_id>/", memories.memory, name="memory"),
    path("<uuid:node_id>/correct/", memories.correct, name="correct"),
    path("<uuid:node_id>/sort/", memories.sort, name="sort"),
    path("<uuid:node_id>/forget/", memories.forget, name="forget"),
    path("changes/", changes.changes, name="changes"),
    path("changes/<uuid:change_id>/undo/", changes.undo, name="undo"),
    path("review/", RedirectView.as_view(pattern_name="memory:about_me")),
    path("review/<uuid:contradiction_id>/", changes.settle, name="settle"),
    path("clean-up/", runs.clean_up, name="clean_up"),
    path("clean-up/<uuid:run_id>/", runs.clean_up_run, name="clean_up_run"),
    path("clean-up/<uuid:run_id>/state/", runs.clean_up_state, name="clean_up_state"),
    path("sleep/", runs.sleep, name="sleep"),
    path("sleep/state/", runs.sleep_state, name="sleep_state"),
    path("sleep/<uuid:run_id>/", runs.sleep_run, name="sleep_run"),
    path("ledger/", ledger.ledger, name="ledger"),
    path("ledger/<uuid:entry_id>/", ledger.ledger_entry, name="ledger_entry"),
    path("ledger/<uuid:entry_id>/<slug:verb>/", ledger.switch_entry, name="switch_entry"),
    path("life/", life.life, name="life"),
    path("life/undo/", life.undo, name="life_undo"),
    path("life/device/", life.device, name="life_device"),
    path("life/<slug:part>/", life.write, name="life_write"),
    *(
        path(
            f"life/{kind.name}/{kind.row}/delete/",
            life.remove,
            {"kind": kind.model, "part": kind.part},
            name=f"life_remove_{kind.model._meta.model_name}",
        )
        for kind in KINDS
        if kind.part
    ),
    path("life/goals/<uuid:goal_id>/<slug:verb>/", life.change_goal, name="life_goal"),
    path("life/facts/<uuid:fact_id>/<slug:verb>/", life.fact, name="life_fact"),
    path("packs/", packs.packs, name="packs"),
    path("packs/<uuid:pack_id>/", packs.pack, name="pack"),
    path("packs/<uuid:pack_id>/mount/", packs.mount, name="mount_pack"),
    path("packs/<uuid:pack_id>/unmount/", packs.unmount, name="unmount_pack"),
    path("packs/<uuid:pack_id>/<uuid:node_id>/", packs.pack_node, name="pack_node"),
    path("progress/", progress.progress, name="progress"),
    path("progress/share/", progress.share, name="share"),
    path("progress/shared/<uuid:box_id>/retract/", progress.retract, name="retract"),
]
