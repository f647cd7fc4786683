"""What waits for an auditor's word: keep a flagged fact, or undo what it did. Both are on record."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.company.audit.access import AuditAccess, audit_page
from memory.company.audit.overview import page_of_flagged
from memory.company.audit.presentation import render_page
from memory.company.audit.undo import can_be_undone
from memory.company.reconcile import doubts
from memory.company.reconcile import review as reviewing
from memory.company.reconcile import undo as undoing


@audit_page
@require_safe
def review(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Show what was flagged, each beside what it took the place of."""
    page = page_of_flagged(access.space, now=timezone.now(), number=request.GET.get("page"))
    old = [fact.id for flagged in page.object_list for fact in flagged.replaced]
    context = {"page": page, "undoable": can_be_undone(access.space, old)}
    return render_page(request, access, "review", context)


@audit_page
@require_POST
def keep(request: PersonRequest, access: AuditAccess, fact_id: UUID) -> HttpResponse:
    """Keep a flagged fact as it is."""
    reviewing.review(access.space, fact_id, actor=access.person, keep=True, now=timezone.now())
    messages.success(request, _("Kept. It is reviewed."))
    return redirect("company:review")


@audit_page
@require_POST
def undo(request: PersonRequest, access: AuditAccess, fact_id: UUID) -> HttpResponse:
    """Bring a superseded fact back, in a new row; what had taken its place is kept as history."""
    restored = undoing.undo(access.space, fact_id, actor=access.person, now=timezone.now())
    messages.success(request, _("Undone: it is believed again."))
    return redirect("company:fact", restored[0].pk)


@audit_page
@require_POST
def settle_doubt(request: PersonRequest, access: AuditAccess, fact_id: UUID) -> HttpResponse:
    """Say that a fact in doubt holds, or that it is out of date."""
    holds = request.POST.get("holds") == "1"
    fact = doubts.settle_doubt(access.space, fact_id, actor=access.person, holds=holds, now=timezone.now())
    told = _("It holds, and is in doubt no more.") if holds else _("It gave way to what was said later.")
    messages.success(request, told)
    return redirect("company:fact", fact.pk)
