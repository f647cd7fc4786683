"""A company's memory over the API, for its logged-in auditors: what the pages show, as JSON."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import HttpResponseBase, JsonResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.vault.scope import space_scope
from memory.company.audit.access import AuditAccess, audit_api
from memory.company.audit.chains import chain_around
from memory.company.audit.facts import people_heard, read_asked, with_names
from memory.company.audit.filters import BadQuestion, FactFilter, FactFilterForm, SearchForm
from memory.company.audit.search import MOST_HITS, search_history
from memory.company.audit.serializers import ChainOut, FactOut, HitOut, tell_moment
from memory.company.audit.views import FormatForm, send_file

FEWEST, MOST, DEFAULT = 1, 200, 50
FARTHEST = 1_000_000


class PartForm(forms.Form):
    """Which part of a list is asked for."""

    limit = forms.IntegerField(min_value=FEWEST, max_value=MOST, required=False)
    offset = forms.IntegerField(min_value=0, max_value=FARTHEST, required=False)


@audit_api
@require_safe
def facts(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Answer with the facts asked for, the newest first."""
    refuse_unknown(request.GET, FactFilterForm, PartForm)
    asked = FactFilterForm(request.GET, people=people_heard(access.space)).asked()
    limit, offset = _part(request.GET)
    at = asked.moment(timezone.now())
    with space_scope(access.space):
        rows = asked.facts_of(access.space, at=at)
        total = rows.count()
        part = rows.order_by("-created_at", "-id")[offset : offset + limit]
        found = read_asked(access.space, part, asked, at=at)
    following = offset + limit if offset + limit < total else None
    return JsonResponse(
        {
            **_head(access, asked, at),
            "total": total,
            "limit": limit,
            "offset": offset,
            "next": _next(request.GET, following),
            "facts": FactOut(with_names(found), many=True).data,
        }
    )


@audit_api
@require_safe
def fact(request: PersonRequest, access: AuditAccess, fact_id: UUID) -> HttpResponseBase:
    """Answer with one fact, its chain and its events."""
    refuse_unknown(request.GET)
    return JsonResponse(ChainOut(chain_around(access.space, fact_id, at=timezone.now())).data)


@audit_api
@require_safe
def search(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Answer with what fits some words, the best first."""
    refuse_unknown(request.GET, SearchForm, PartForm)
    asked = SearchForm(request.GET, people=people_heard(access.space)).asked()
    limit, offset = _part(request.GET)
    at = asked.moment(timezone.now())
    hits = search_history(access.space, asked, at=at)
    return JsonResponse(
        {
            **_head(access, asked, at),
            "total": len(hits),
            "most": MOST_HITS,
            "limit": limit,
            "offset": offset,
            "hits": HitOut(hits[offset : offset + limit], many=True).data,
        }
    )


@audit_api
@require_safe
def export(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Answer with a file; it is on record."""
    refuse_unknown(request.GET, SearchForm, FormatForm)
    return send_file(request, access, request.GET)


def refuse_unknown(given: Mapping[str, Any], *known: type[forms.Form]) -> None:
    """Refuse a parameter that means nothing here: a misspelt `as_of` must not answer with the present."""
    names = {name for form in known for name in form.base_fields}
    unknown = sorted(set(given) - names)
    if unknown:
        raise BadQuestion({name: [_("There is no such parameter.")] for name in unknown})


def _part(given: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many rows are asked for, and after how many."""
    form = PartForm(given)
    if not form.is_valid():
        raise BadQuestion.of(form)
    return form.cleaned_data["limit"] or DEFAULT, form.cleaned_data["offset"] or 0


def _head(access: AuditAccess, asked: FactFilter, at: datetime) -> dict[str, Any]:
    return {"company": access.company.name, "as_of": tell_moment(at), "state": str(asked.state)}


def _next(given: QueryDict, offset: int | None) -> str | None:
    """Return the address of the rows that follow."""
    if offset is None:
        return None
    kept = {**given.dict(), "offset": offset}
    return f"{reverse('company-api:facts')}?{urlencode(kept)}"
