"""What changed in a memory: what was changed by itself, undoing it, and settling what contradicts itself."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.student.contradictions.settlement import resolve
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.addresses import way_back
from memory.student.pages.changes import recent_changes
from memory.student.pages.rendering import render_page
from memory.student.undo import undo_change


@require_safe
@memory_page
def changes(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Show what the companion changed lately."""
    return render_page(
        request, access, "changes", {"changes": recent_changes(access.space, now=timezone.now())}
    )


@require_POST
@memory_page
def settle(request: PersonRequest, access: MemoryAccess, contradiction_id: UUID) -> HttpResponse:
    """Settle a contradiction as the person says."""
    keep = request.POST.get("keep")
    resolve(access.space, contradiction_id, keep=keep, now=timezone.now(), actor=access.person)  # type: ignore[arg-type]  # checked there
    messages.success(request, _("Settled, as you said."))
    return redirect("memory:about_me")


@require_POST
@memory_page
def undo(request: PersonRequest, access: MemoryAccess, change_id: UUID) -> HttpResponse:
    """Undo one change, automatic or by hand, and go back to where the button stood."""
    undo_change(access.space, change_id, now=timezone.now(), actor=access.person)
    messages.success(request, _("Undone: it is as it was before."))
    return redirect(way_back(request) or reverse("memory:changes"))
