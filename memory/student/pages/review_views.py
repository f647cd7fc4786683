"""The review page: contradictions that wait for the person's word, and what was changed by itself."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.student.contradictions import resolve
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.changes import recent_changes
from memory.student.pages.rendering import render_page
from memory.student.pages.review import open_contradictions
from memory.student.undo import undo_change


@require_safe
@memory_page
def review(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Show what contradicts itself, and what the companion changed lately."""
    now = timezone.now()
    context = {
        "contradictions": open_contradictions(access.space, now=now),
        "changes": recent_changes(access.space, now=now),
    }
    return render_page(request, access, "review", context)


@require_POST
@memory_page
def settle(request: PersonRequest, access: MemoryAccess, contradiction_id: UUID) -> HttpResponse:
    """Settle a contradiction as the person says."""
    keep = request.POST.get("keep")
    resolve(access.space, contradiction_id, keep=keep, now=timezone.now(), actor=access.person)  # type: ignore[arg-type]  # checked there
    messages.success(request, _("Settled, as you said."))
    return redirect("memory:review")


@require_POST
@memory_page
def undo(request: PersonRequest, access: MemoryAccess, change_id: UUID) -> HttpResponse:
    """Undo one change, automatic or by hand, and go back to where the button stood."""
    undo_change(access.space, change_id, now=timezone.now(), actor=access.person)
    messages.success(request, _("Undone: it is as it was before."))
    back = request.POST.get("back", "")
    return redirect(back if _is_own(back, request) else "memory:review")


def _is_own(address: str, request: PersonRequest) -> bool:
    return address.startswith("/") and url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}
    )
