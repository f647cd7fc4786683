"""The pages of the memory itself: overview, lists, one fact with its chain, search."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.audit.checkpoint_services import look_at_last_checkpoint
from companion_site.embeddings.service import embed_question_with, get_embedder
from memory.company.audit.access import AuditAccess, audit_page
from memory.company.audit.chains import chain_around
from memory.company.audit.facts import people_heard
from memory.company.audit.filters import FactFilterForm, SearchForm
from memory.company.audit.overview import look_over, page_of_facts
from memory.company.audit.presentation import present_hits, read_question, render_page
from memory.company.audit.search import search_history
from memory.company.audit.undo import can_be_undone

HITS_LENGTH = 20


@audit_page
@require_safe
def overview(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Show what is believed, or was at a moment, by category, with what else there is in numbers."""
    form = FactFilterForm({"as_of": request.GET.get("as_of", "")}, people={})
    asked = read_question(form)
    context: dict[str, Any] = {"form": form, "asked": asked}
    if asked is None:
        return render_page(request, access, "overview", context, status=400)
    now = timezone.now()
    at = asked.moment(now)
    context |= {"at": at, "overview": look_over(access.space, asked, at=at)}
    context["checkpoint"] = look_at_last_checkpoint(now)
    return render_page(request, access, "overview", context)


@audit_page
@require_safe
def facts(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Show the facts asked for, as they are or were at a moment."""
    form = FactFilterForm(request.GET, people=people_heard(access.space))
    asked = read_question(form)
    if asked is None:
        return render_page(request, access, "facts", {"form": form}, status=400)
    at = asked.moment(timezone.now())
    page = page_of_facts(access.space, asked, at=at, number=request.GET.get("page"))
    context = {"form": form, "asked": asked, "at": at, "page": page}
    return render_page(request, access, "facts", context)


@audit_page
@require_safe
def fact(request: PersonRequest, access: AuditAccess, fact_id: UUID) -> HttpResponse:
    """Show one fact with its chain forward and back, and what happened to it."""
    chain = chain_around(access.space, fact_id, at=timezone.now())
    shown = [one.id for link in chain.links for one in (link.fact, *link.joined)]
    context = {"chain": chain, "undoable": can_be_undone(access.space, shown), "here": "facts"}
    return render_page(request, access, "fact", context)


@audit_page
@require_safe
def search(request: PersonRequest, access: AuditAccess) -> HttpResponse:
    """Search the whole history by meaning and by words."""
    form = SearchForm(request.GET, people=people_heard(access.space))
    if not request.GET.get("q", "").strip():
        form.errors.clear()
        return render_page(request, access, "search", {"form": form})
    asked = read_question(form)
    if asked is None:
        return render_page(request, access, "search", {"form": form}, status=400)
    embedder, at = get_embedder(), asked.moment(timezone.now())
    vector = embed_question_with(embedder, asked.search)
    hits = search_history(access.space, asked, vector=vector, embedder=embedder, at=at)
    page = Paginator(hits, HITS_LENGTH).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "asked": asked,
        "at": at,
        "page": page,
        "hits": present_hits(page.object_list, asked.search),
    }
    return render_page(request, access, "search", context)
