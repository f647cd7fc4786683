"""The pages of sleep: when it comes, what it does, a way to have it now, and what each run did."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.changes import changes_of_run
from memory.student.pages.rendering import render_page
from memory.student.pages.sleep import find_newest, find_run, list_ended, plan_of, show_run
from memory.student.pages.sleep_progress import await_sleep
from memory.student.sleep.params import SLEEP
from memory.student.sleep.requests import find_open_run, request_sleep


@require_http_methods(["GET", "HEAD", "POST"])
@memory_page
def sleep(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Say what sleep does, when it came and will come, and have it now."""
    if request.method == "POST":
        return _let_sleep(request, access)
    now = timezone.now()
    waiting = await_sleep(access.space)
    page = list_ended(access.space, request.GET.get("page"))
    context = {
        "plan": plan_of(access.space, now=now),
        "memory_on": access.person.memory_on,
        "waiting": waiting if waiting.is_open else None,
        "page": page,
        "runs": [show_run(run) for run in page],
        "newest": find_newest(access.space),
        "numbers": SLEEP,
    }
    return render_page(request, access, "sleep", context)


@require_safe
@memory_page
def sleep_run(request: PersonRequest, access: MemoryAccess, run_id: UUID) -> HttpResponse:
    """Show one run: what it made, of what, and a way to undo each."""
    run, now = show_run(find_run(access.space, run_id)), timezone.now()
    waiting = await_sleep(access.space)
    context = {
        "run": run,
        "plan": plan_of(access.space, now=now),
        "newest": find_newest(access.space),
        "waiting": waiting if run.is_open and waiting.is_open else None,
        "changes": changes_of_run(access.space, run_id, now=now),
        "numbers": SLEEP,
    }
    return render_page(request, access, "sleep_run", context)


@require_safe
@memory_page
def sleep_state(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Say how far a sleep is, for a page that waits."""
    return JsonResponse(await_sleep(access.space).tell())


def _let_sleep(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Ask for a sleep, where there is anything to do for one."""
    now = timezone.now()
    has_work = plan_of(access.space, now=now).waiting or find_open_run(access.space)
    if not access.person.memory_on:
        messages.info(request, _("Your memory is switched off, so there is nothing to sleep over."))
    elif not has_work:
        messages.info(request, _("There is nothing new to sleep over."))
    else:
        request_sleep(access.space, now=now)
    return redirect("memory:sleep")
