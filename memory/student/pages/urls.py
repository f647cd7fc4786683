"""Addresses of a student's own memory."""

from django.urls import include, path
from django.views.generic import RedirectView

from memory.student.pages import (
    change_views,
    clean_up_views,
    ledger_views,
    pack_views,
    progress_views,
    sleep_views,
    views,
)

app_name = "memory"
urlpatterns = [
    path("", views.about_me, name="about_me"),
    path("about/", views.privacy, name="privacy"),
    path("history/", views.history, name="history"),
    path("timeline/", RedirectView.as_view(pattern_name="memory:history")),
    path("held/", views.held, name="held"),
    path("<uuid:node_id>/", views.memory, name="memory"),
    path("<uuid:node_id>/correct/", views.correct, name="correct"),
    path("<uuid:node_id>/sort/", views.sort, name="sort"),
    path("<uuid:node_id>/forget/", views.forget, name="forget"),
    path("changes/", change_views.changes, name="changes"),
    path("changes/<uuid:change_id>/undo/", change_views.undo, name="undo"),
    path("review/", RedirectView.as_view(pattern_name="memory:about_me")),
    path("review/<uuid:contradiction_id>/", change_views.settle, name="settle"),
    path("clean-up/", clean_up_views.clean_up, name="clean_up"),
    path("clean-up/<uuid:run_id>/", clean_up_views.clean_up_run, name="clean_up_run"),
    path("clean-up/<uuid:run_id>/state/", clean_up_views.clean_up_state, name="clean_up_state"),
    path("sleep/", sleep_views.sleep, name="sleep"),
    path("sleep/state/", sleep_views.sleep_state, name="sleep_state"),
    path("sleep/<uuid:run_id>/", sleep_views.sleep_run, name="sleep_run"),
    path("ledger/", ledger_views.ledger, name="ledger"),
    path("ledger/<uuid:entry_id>/", ledger_views.ledger_entry, name="ledger_entry"),
    path("ledger/<uuid:entry_id>/<slug:verb>/", ledger_views.switch_entry, name="switch_entry"),
    path("life/", include("memory.student.pages.life_urls")),
    path("packs/", pack_views.packs, name="packs"),
    path("packs/<uuid:pack_id>/", pack_views.pack, name="pack"),
    path("packs/<uuid:pack_id>/mount/", pack_views.mount, name="mount_pack"),
    path("packs/<uuid:pack_id>/unmount/", pack_views.unmount, name="unmount_pack"),
    path("packs/<uuid:pack_id>/<uuid:node_id>/", pack_views.pack_node, name="pack_node"),
    path("progress/", progress_views.progress, name="progress"),
    path("progress/share/", progress_views.share, name="share"),
    path("progress/shared/<uuid:box_id>/retract/", progress_views.retract, name="retract"),
]
