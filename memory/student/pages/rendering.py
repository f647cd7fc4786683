"""What every page of memory has around it: the way to the others, with how much waits for the person's word."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from companion_site.accounts.requests import PersonRequest
from memory.student.contradictions.review import count_open
from memory.student.pages.access import MemoryAccess
from memory.student.pages.navigation import PAGES, page_above, pages_behind, trail_of


def render_page(
    request: PersonRequest, access: MemoryAccess, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `memory/<name>.html`."""
    trail = trail_of(name)
    around = {
        "here": name,
        "above": page_above(name),
        "trail": (reverse(f"memory:{trail[0]}"), trail[1]) if trail else None,
        "pages": [(page, reverse(f"memory:{page}"), label) for page, label in PAGES.items()],
        "doors": [(reverse(f"memory:{page}"), behind) for page, behind in pages_behind(name)],
        "to_review": count_open(access.space),
        "kept_days": settings.TOMBSTONE_DAYS,
        "transcript_days": settings.TRANSCRIPT_DAYS,
        "ceiling_days": settings.TRANSCRIPT_CEILING_DAYS,
    }
    return render(request, f"memory/{name}.html", {**around, **context}, status=status)
