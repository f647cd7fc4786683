"""What every page of memory has around it: the way to the others, with how much waits for the person's word."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from companion_site.accounts.requests import PersonRequest
from memory.student.contradictions.review import count_open
from memory.student.pages.access import MemoryAccess
from memory.student.pages.navigation import BEHIND, PAGES


def render_page(
    request: PersonRequest, access: MemoryAccess, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `memory/<name>.html`."""
    around = {
        "here": BEHIND.get(name, name),
        "pages": [(page, reverse(f"memory:{page}"), label) for page, label in PAGES.items()],
        "to_review": count_open(access.space),
        "kept_days": settings.TOMBSTONE_DAYS,
        "transcript_days": settings.TRANSCRIPT_DAYS,
        "ceiling_days": settings.TRANSCRIPT_CEILING_DAYS,
    }
    return render(request, f"memory/{name}.html", {**around, **context}, status=status)
