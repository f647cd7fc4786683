"""Teachers' pages of what students shared with them: the one place where a teacher reads words of a student's memory.

The words are sealed to the teacher's own space, so they open with the teacher's key and with no other. Nothing is opened
by looking at a page: opening takes away the student's right to take it back, so the teacher presses a button that says so.
"""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import BoxBroken, NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey
from memory.student.snapshots import read_snapshot
from memory.teaching.received import Received, find_received, list_received
from memory.teaching.snapshot_text import lay_out

PER_PAGE = 50


@require_safe
@never_cache
def snapshots(request: PersonRequest) -> HttpResponse:
    """Show who shared what when, without a word of it."""
    page = Paginator(list_received(request.user), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "teaching/snapshots.html", {"page": page, "snapshots": page.object_list})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def snapshot(request: PersonRequest, box_id: UUID) -> HttpResponse:
    """Show a snapshot: its words where it has been opened, else the button that opens it."""
    found = find_received(request.user, box_id)
    key = _own_key(request)
    if found.retracted_at is not None:
        return _page(request, found, status=410)
    if request.method != "POST" and found.opened_at is None:
        return _page(request, found)
    try:
        read = read_snapshot(key.space, box_id, key=key, now=timezone.now())
    except BoxBroken:
        return _page(request, found, broken=True, status=409)
    except NotFound:
        # Taken back between the two looks at it.
        return _page(request, find_received(request.user, box_id), status=410)
    return (
        redirect("teaching:snapshot", box_id)
        if request.method == "POST"
        else _page(request, found, blocks=lay_out(read.text))
    )


def _own_key(request: PersonRequest) -> SpaceKey:
    """Return the key of the person's own space.

    Raises:
        SpaceLocked: it is not open in this session.
    """
    key = request.space_key
    if key is None or key.space != request.user.space_id:
        raise SpaceLocked()
    return key


def _page(request: PersonRequest, found: Received, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "teaching/snapshot.html", {"snapshot": found, **context}, status=status)
