"""The pages of how the memory came about: what was read, what was refused and why, what was compressed."""

from uuid import UUID

from django.db.models import Count
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.company.audit.access import AuditAccess, audit_page
from memory.company.audit.facts import read_facts, with_names
from memory.company.audit.overview import page_of_rows
from memory.company.audit.presentation import render_page
from memory.models import CompanyCompression, CompanyFact, CompanyRefusal, Extraction


@audit_page
@require_safe
def refused(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Show what was not taken into the memory, and why; of one reason if the address names it."""
    reason = request.GET.get("reason", "")
    with space_scope(access.space):
        every = CompanyRefusal.objects.for_space(access.space)
        counts = dict(every.order_by().values_list("reason").annotate(Count("pk")))
    rows = every.filter(reason=reason) if reason in CompanyRefusal.Reason.values else every
    reasons = [
        {"value": str(one), "label": one.label, "count": counts[one]}
        for one in CompanyRefusal.Reason
        if one in counts
    ]
    page = page_of_rows(access.space, rows, request.GET.get("page"))
    context = {"page": page, "reasons": reasons, "reason": reason}
    return render_page(request, access, "refused", context)


@audit_page
@require_safe
def extractions(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Show every reading of a conversation, in numbers."""
    rows = Extraction.objects.for_space(access.space)
    page = page_of_rows(access.space, rows, request.GET.get("page"))
    return render_page(request, access, "extractions", {"page": page})


@audit_page
@require_safe
def extraction(request: PersonRequest, access: AuditAccess, extraction_id: UUID) -> HttpResponse:
    """Show one reading: its numbers, the facts that came of it, and what was refused."""
    with space_scope(access.space):
        row = Extraction.objects.for_space(access.space).filter(pk=extraction_id).first()
        if row is None:
            raise NotFound()
        named = CompanyFact.objects.for_space(access.space).filter(extraction_id=extraction_id)
        made = named.exclude(
            origin=CompanyFact.Origin.RESTORED
        )  # came of an undoing, and names where it was said
        found = read_facts(made.order_by("id"), at=timezone.now())
        rows = CompanyRefusal.objects.for_space(access.space).filter(extraction_id=extraction_id)
        refusals = list(rows.order_by("id"))
    context = {"extraction": row, "facts": with_names(found), "refusals": refusals, "here": "extractions"}
    return render_page(request, access, "extraction", context)


@audit_page
@require_safe
def compressions(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Show every compression, in numbers."""
    rows = CompanyCompression.objects.for_space(access.space)
    page = page_of_rows(access.space, rows, request.GET.get("page"))
    return render_page(request, access, "compressions", {"page": page})
