"""What the pages have around them and in common: the way to the others, what is asked for, and what can be undone."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from companion_site.accounts.requests import PersonRequest
from memory.company.auditing.access import AuditAccess
from memory.company.auditing.filters import BadQuestion, FactFilter, FactFilterForm
from memory.company.auditing.overview import count_flagged
from memory.company.auditing.searching import Hit, mark_words


def render_page(
    request: PersonRequest, access: AuditAccess, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `company/<name>.html`."""
    around = {
        "here": name,
        "company": access.company,
        "to_review": count_flagged(access.space, now=timezone.now()),
    }
    return render(request, f"company/{name}.html", {**around, **context}, status=status)


def read_question(form: FactFilterForm) -> FactFilter | None:
    """Return what a form asks for; None where it cannot be understood and the form has errors to show."""
    try:
        return form.asked()
    except BadQuestion:
        return None


def moment_asked(asked: FactFilter | None, now: datetime) -> datetime:
    return asked.as_of if asked is not None and asked.as_of else now


def kept_query(given: QueryDict, *, without: Iterable[str] = ("page",)) -> str:
    """Return the address's words but some, for links to other pages of the same list."""
    kept = given.copy()
    for name in without:
        kept.pop(name, None)
    return f"{kept.urlencode()}&" if kept else ""


def present_hits(hits: Iterable[Hit], search: str) -> list[dict[str, Any]]:
    """Return hits with the words found marked."""
    return [{"hit": hit, "fact": hit.fact, "pieces": mark_words(hit.fact.content, search)} for hit in hits]
