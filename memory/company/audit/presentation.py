"""What the pages have around them and in common: the way to the others, what is asked for, and what can be undone."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from companion_site.accounts.requests import PersonRequest
from memory.company.audit.access import AuditAccess
from memory.company.audit.filters import BadQuestion, FactFilter, FactFilterForm
from memory.company.audit.overview import count_flagged
from memory.company.audit.search import Hit, mark_words


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


def present_hits(hits: Iterable[Hit], search: str) -> list[dict[str, Any]]:
    """Return hits with the words found marked."""
    return [{"hit": hit, "fact": hit.fact, "pieces": mark_words(hit.fact.content, search)} for hit in hits]
