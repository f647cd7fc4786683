"""The pages of the clean-up: what it does before it happens, how far it is, and what it did."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.models import CompressionRun
from memory.student.compression.requests import request_compression
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.changes import changes_of_run
from memory.student.pages.clean_up import await_run, find_run, list_runs
from memory.student.pages.rendering import render_page


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
