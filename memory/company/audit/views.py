"""The pages of a company's memory for its auditors: the memory itself, what waits for a review, how it came about, and the export."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.access import Access
from companion_site.accounts.requests import PersonRequest
from companion_site.audit.checkpoint_services import look_at_last_checkpoint
from companion_site.http import stream_file
from companion_site.vault.scope import space_scope
from memory.company.audit.access import audit_page
from memory.company.audit.chains import chain_around
from memory.company.audit.export import CONTENT_TYPES, begin_export
from memory.company.audit.facts import (
    count_flagged,
    look_over,
    page_of,
    page_of_facts,
    page_of_flagged,
    people_heard,
    show_facts,
)
from memory.company.audit.filters import BadQuestion, FactFilterForm, SearchForm
from memory.company.audit.search import mark_words, search_history
from memory.company.errors import Settled
from memory.company.reconcile import undo as undoing
from memory.company.reconcile.undo import can_be_undone
from memory.models import CompanyCompression, CompanyFact, CompanyRefusal, Extraction

HITS_LENGTH = 20


def render_page(
    request: PersonRequest, access: Access, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `company/<name>.html`."""
    around = {
        "here": name,
        "company": access.person.company,
        "to_review": count_flagged(access.space, now=timezone.now()),
    }
    return render(request, f"company/{name}.html", {**around, **context}, status=status)


@audit_page
@require_safe
def overview(request: PersonRequest, access: Access) -> HttpResponse:
    """Show what is believed, or was at a moment, by category, with what else there is in numbers."""
    form = FactFilterForm({"as_of": request.GET.get("as_of", "")}, people={})
    asked = form.asked()
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
def facts(request: PersonRequest, access: Access) -> HttpResponse:
    """Show the facts asked for, as they are or were at a moment."""
    form = FactFilterForm(request.GET, people=people_heard(access.space))
    asked = form.asked()
    if asked is None:
        return render_page(request, access, "facts", {"form": form}, status=400)
    at = asked.moment(timezone.now())
    page = page_of_facts(access.space, asked, at=at, number=request.GET.get("page"))
    context = {"form": form, "asked": asked, "at": at, "page": page}
    return render_page(request, access, "facts", context)


@audit_page
@require_safe
def fact(request: PersonRequest, access: Access, fact_id: UUID) -> HttpResponse:
    """Show one fact with its chain forward and back, and what happened to it."""
    return _fact_page(request, access, fact_id)


def _fact_page(request: PersonRequest, access: Access, fact_id: UUID, *, status: int = 200) -> HttpResponse:
    chain = chain_around(access.space, fact_id, at=timezone.now())
    shown = [one.id for link in chain.links for one in (link, *link.joined)]
    context = {"chain": chain, "undoable": can_be_undone(access.space, shown), "here": "facts"}
    return render_page(request, access, "fact", context, status=status)


def decision(view: Callable[[PersonRequest, Access, UUID], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Take a person's word on a fact; where it is settled already, show it as it is by now, with why nothing was changed."""

    @audit_page
    @require_POST
    @wraps(view)
    def decide(request: PersonRequest, access: Access, fact_id: UUID) -> HttpResponse:
        try:
            return view(request, access, fact_id)
        except Settled as error:
            messages.error(request, str(error))
            return _fact_page(request, access, fact_id, status=409)

    return decide


@audit_page
@require_safe
def search(request: PersonRequest, access: Access) -> HttpResponse:
    """Search the whole history by meaning and by words."""
    form = SearchForm(request.GET, people=people_heard(access.space))
    if not request.GET.get("q", "").strip():
        form.errors.clear()
        return render_page(request, access, "search", {"form": form})
    asked = form.asked()
    if asked is None:
        return render_page(request, access, "search", {"form": form}, status=400)
    at = asked.moment(timezone.now())
    hits = search_history(access.space, asked, at=at)
    page = Paginator(hits, HITS_LENGTH).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "asked": asked,
        "at": at,
        "page": page,
        "hits": [
            {"hit": hit, "fact": hit.fact, "pieces": mark_words(hit.fact.content, asked.search)}
            for hit in page.object_list
        ],
    }
    return render_page(request, access, "search", context)


@audit_page
@require_safe
def review(request: PersonRequest, access: Access) -> HttpResponse:
    """Show what was flagged, each beside what it took the place of."""
    page = page_of_flagged(access.space, now=timezone.now(), number=request.GET.get("page"))
    old = [fact.id for flagged in page.object_list for fact in flagged.joined]
    context = {"page": page, "undoable": can_be_undone(access.space, old)}
    return render_page(request, access, "review", context)


@decision
def keep(request: PersonRequest, access: Access, fact_id: UUID) -> HttpResponse:
    """Keep a flagged fact as it is."""
    undoing.review(access.space, fact_id, actor=access.person, keep=True, now=timezone.now())
    messages.success(request, _("Kept. It is reviewed."))
    return redirect("company:review")


@decision
def undo(request: PersonRequest, access: Access, fact_id: UUID) -> HttpResponse:
    """Bring a superseded fact back, in a new row; what had taken its place is kept as history."""
    restored = undoing.undo(access.space, fact_id, actor=access.person, now=timezone.now())
    told = ngettext(
        "Undone: one fact is believed again.", "Undone: %(count)d facts are believed again.", len(restored)
    )
    messages.success(request, told % {"count": len(restored)})
    again = {row.restores_id: row.pk for row in restored}
    return redirect("company:fact", again.get(fact_id, fact_id))


@decision
def settle_doubt(request: PersonRequest, access: Access, fact_id: UUID) -> HttpResponse:
    """Say that a fact in doubt holds, or that it is out of date."""
    holds = request.POST.get("holds") == "1"
    now = timezone.now()
    fact = undoing.settle_doubt(access.space, fact_id, actor=access.person, holds=holds, now=now)
    told = _("It holds, and is in doubt no more.") if holds else _("It gave way to what was said later.")
    messages.success(request, told)
    return redirect("company:fact", fact.pk)


@audit_page
@require_safe
def refused(request: PersonRequest, access: Access) -> HttpResponse:
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
    page = page_of(access.space, rows, request.GET.get("page"))
    context = {"page": page, "reasons": reasons, "reason": reason}
    return render_page(request, access, "refused", context)


@audit_page
@require_safe
def extractions(request: PersonRequest, access: Access) -> HttpResponse:
    """Show every reading of a conversation, in numbers."""
    rows = Extraction.objects.for_space(access.space)
    page = page_of(access.space, rows, request.GET.get("page"))
    return render_page(request, access, "extractions", {"page": page})


@audit_page
@require_safe
def extraction(request: PersonRequest, access: Access, extraction_id: UUID) -> HttpResponse:
    """Show one reading: its numbers, the facts that came of it, and what was refused."""
    with space_scope(access.space):
        row = Extraction.objects.for_space(access.space).find(pk=extraction_id)
        named = CompanyFact.objects.for_space(access.space).filter(extraction_id=extraction_id)
        made = named.exclude(
            origin=CompanyFact.Origin.RESTORED
        )  # came of an undoing, and names where it was said
        found = show_facts(made.order_by("id"), at=timezone.now())
        rows = CompanyRefusal.objects.for_space(access.space).filter(extraction_id=extraction_id)
        refusals = list(rows.order_by("id"))
    context = {"extraction": row, "facts": found, "refusals": refusals, "here": "extractions"}
    return render_page(request, access, "extraction", context)


@audit_page
@require_safe
def compressions(request: PersonRequest, access: Access) -> HttpResponse:
    """Show every compression, in numbers."""
    rows = CompanyCompression.objects.for_space(access.space)
    page = page_of(access.space, rows, request.GET.get("page"))
    return render_page(request, access, "compressions", {"page": page})


@audit_page
@require_POST
def export(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Answer with a file of what the page before showed; of the hits where words were searched for."""
    given, name = request.POST, request.POST.get("form", "")
    if name not in CONTENT_TYPES:
        raise BadQuestion()
    kind = SearchForm if given.get("q", "").strip() else FactFilterForm
    asked = kind(given, people=people_heard(access.space)).asked()
    if asked is None:
        raise BadQuestion()
    pieces = begin_export(access, asked, form=name, now=timezone.now())
    return stream_file(request, pieces, name=f"company-memory.{name}", content_type=CONTENT_TYPES[name])
