"""What every page of memory has around it: the way to the others, with how much waits for the person's word."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from companion_site.accounts.requests import PersonRequest
from companion_site.vault.scope import space_scope
from memory.models import Contradiction
from memory.pages.access import MemoryAccess

ENDS = ("superseded_at", "removed_at")


def render_page(
    request: PersonRequest, access: MemoryAccess, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `memory/<name>.html`."""
    around = {"here": name, "to_review": count_open(access)}
    return render(request, f"memory/{name}.html", {**around, **context}, status=status)


def count_open(access: MemoryAccess) -> int:
    """Return how many contradictions wait for the person, as far as both memories still hold."""
    held = {f"{end}__{ended}__isnull": True for end in ("earlier", "later") for ended in ENDS}
    with space_scope(access.space):
        rows = Contradiction.objects.for_space(access.space)
        return rows.filter(state=Contradiction.State.OPEN, **held).count()
