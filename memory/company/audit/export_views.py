"""Taking a memory along as a file, from the pages and over the API."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_POST

from companion_site.accounts.requests import PersonRequest
from companion_site.embeddings.service import embed_question_with, get_embedder
from companion_site.http import stream_file
from memory.company.audit.access import AuditAccess, audit_page
from memory.company.audit.export import CONTENT_TYPES, Export, begin_export
from memory.company.audit.facts import people_heard
from memory.company.audit.filters import BadQuestion, FactFilter, FactFilterForm, SearchForm
from memory.company.audit.search import search_history


class FormatForm(forms.Form):
    """As what a memory is taken along."""

    form = forms.ChoiceField(choices=[("csv", "CSV"), ("json", "JSON")])


@audit_page
@require_POST
def export(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Answer with a file of what the page before showed."""
    return send_file(request, access, request.POST)


def send_file(request: HttpRequest, access: AuditAccess, given: QueryDict) -> HttpResponseBase:
    """Return a file of the facts asked for; of the hits where words are searched for.

    Raises:
        BadQuestion: it cannot be understood what is asked for.
    """
    chosen = FormatForm(given)
    if not chosen.is_valid():
        raise BadQuestion.of(chosen)
    kind = SearchForm if given.get("q", "").strip() else FactFilterForm
    asked = kind(given, people=people_heard(access.space)).asked()
    name = chosen.cleaned_data["form"]
    pieces = begin_export(_plan(access, asked, now=timezone.now()), form=name)
    return stream_file(request, pieces, name=f"company-memory.{name}", content_type=CONTENT_TYPES[name])


def _plan(access: AuditAccess, asked: FactFilter, *, now: datetime) -> Export:
    plan: dict[str, Any] = {"access": access, "asked": asked, "at": asked.moment(now), "exported_at": now}
    if not asked.search:
        return Export(**plan)
    embedder = get_embedder()
    vector = embed_question_with(embedder, asked.search)
    hits = search_history(access.space, asked, vector=vector, embedder=embedder, at=plan["at"])
    return Export(**plan, ids=[hit.fact.id for hit in hits])
