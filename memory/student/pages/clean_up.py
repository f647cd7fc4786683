"""The pages of the clean-up: what it does before it happens, how far it is, and what it did, in numbers and in memories."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun
from memory.student.compression.requests import OPEN, request_compression
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.changes import changes_of_run
from memory.student.pages.navigation import render_page
from memory.student.pages.pending import Waiting, say_trigger

LATEST = 10


@dataclass(frozen=True, kw_only=True)
class ShownRun:
    """One clean-up in numbers."""

    id: UUID
    trigger: str
    state: str
    state_label: str
    percent: int
    requested_at: datetime
    finished_at: datetime | None
    before: int | None
    after: int | None
    pruned: int
    merged: int
    into: int

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_done(self) -> bool:
        return self.state == CompressionRun.State.DONE

    @property
    def changed_nothing(self) -> bool:
        return self.is_done and not self.pruned and not self.merged


def list_runs(space: UUID) -> list[ShownRun]:
    """Return the last clean-ups, the newest first."""
    with space_scope(space):
        return [show_run(run) for run in CompressionRun.objects.for_space(space).order_by("-id")[:LATEST]]


def find_run(space: UUID, run_id: UUID) -> ShownRun:
    """Return one clean-up.

    Raises:
        NotFound: the space has none of that id.
    """
    with space_scope(space):
        run = CompressionRun.objects.for_space(space).filter(pk=run_id).first()
    if run is None:
        raise NotFound()
    return show_run(run)


def show_run(run: CompressionRun) -> ShownRun:
    pruned, merged = run.loss.get("pruned", {}), run.loss.get("merged", {})
    return ShownRun(
        id=run.pk,
        trigger=say_trigger(run),
        state=run.state,
        state_label=run.get_state_display(),
        percent=round(100 * run.progress),
        requested_at=run.requested_at,
        finished_at=run.finished_at,
        before=run.before.get("nodes"),
        after=run.after.get("nodes"),
        pruned=pruned.get("nodes", 0),
        merged=merged.get("nodes", 0),
        into=merged.get("into", 0),
    )


def await_run(run: ShownRun) -> Waiting:
    """Return what the page of a clean-up shows until it is over."""
    return Waiting(
        title=_("Cleaning up"),
        label=run.state_label,
        percent=run.percent,
        is_open=run.is_open,
        state_url=reverse("memory:clean_up_state", args=[run.id]),
        done_url=reverse("memory:clean_up_run", args=[run.id]),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@memory_page
def clean_up(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Say what a clean-up does, and start one."""
    if request.method == "POST":
        run = request_compression(access.space, trigger=CompressionRun.Trigger.REQUESTED, now=timezone.now())
        return redirect("memory:clean_up_run", run.pk)
    runs = list_runs(access.space)
    running = next((run for run in runs if run.is_open), None)
    waiting = await_run(running) if running else None
    context = {"waiting": waiting, "runs": [run for run in runs if not run.is_open]}
    return render_page(request, access, "clean_up", context)


@require_safe
@memory_page
def clean_up_run(request: PersonRequest, access: MemoryAccess, run_id: UUID) -> HttpResponse:
    """Show one clean-up: how far it is, or what it did."""
    run = find_run(access.space, run_id)
    changes = [] if run.is_open else changes_of_run(access.space, run_id, now=timezone.now())
    context = {"run": run, "waiting": await_run(run), "changes": changes}
    return render_page(request, access, "clean_up_run", context)


@require_safe
@memory_page
def clean_up_state(request: PersonRequest, access: MemoryAccess, run_id: UUID) -> HttpResponse:
    """Say how far a clean-up is, for a page that waits."""
    return JsonResponse(await_run(find_run(access.space, run_id)).tell())
