"""What students shared with a teacher: the one place where a teacher reads words of a student's memory.

The words are sealed to the teacher's own space, so they open with the teacher's key and with no other. Nothing is opened
by looking at a page: opening takes away the student's right to take it back, so the teacher presses a button that says so.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from companion_site.accounts.access import own_key
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import BoxBroken, NotFound
from companion_site.http import form_page
from companion_site.vault.inbox import pending_boxes
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.student.snapshots import read_snapshot

ITEM = "- "
PER_PAGE = 50


def teacher_space(teacher: Person) -> UUID:
    """Return the space into which students share with a teacher.

    Raises:
        NotFound: people of this role are shared nothing with.
    """
    if not teacher.is_active or teacher.role != Person.Role.TEACHER or teacher.space_id is None:
        raise NotFound()
    return teacher.space_id


def count_unopened(teacher: Person) -> int:
    """Return how many snapshots a teacher has not opened; needs no key."""
    return len(pending_boxes(teacher_space(teacher), kinds=[SealedBox.Kind.SNAPSHOT]))


def list_received(teacher: Person, *, student: Person | None = None) -> list[SealedBox]:
    """Return what was shared with a teacher, by one student or all, and not taken back, the newest first; needs no key."""
    space = teacher_space(teacher)
    with space_scope(space):
        rows = SealedBox.objects.for_space(space).filter(
            kind=SealedBox.Kind.SNAPSHOT, retracted_at__isnull=True, sealed_text__isnull=False
        )
        if student is not None:
            rows = rows.filter(sender=student)
        return list(rows.select_related("sender").order_by("-id"))


def find_received(teacher: Person, box_id: UUID) -> SealedBox:
    """Return one snapshot shared with a teacher, also one that was taken back; needs no key.

    Raises:
        NotFound: nothing of that id was shared with them.
    """
    space = teacher_space(teacher)
    with space_scope(space):
        rows = SealedBox.objects.for_space(space).select_related("sender")
        return rows.find(pk=box_id, kind=SealedBox.Kind.SNAPSHOT)


@dataclass(frozen=True)
class Block:
    """What stands between two empty lines: some lines, and the items listed below them."""

    lines: list[str]
    items: list[str]


def lay_out(text: str) -> list[Block]:
    """Return the blocks of a snapshot's text, in order. A line below an item that is none itself belongs to the item."""
    return [_read_block(block.splitlines()) for block in text.split("\n\n") if block.strip()]


def _read_block(lines: list[str]) -> Block:
    first = next((row for row, line in enumerate(lines) if line.startswith(ITEM)), len(lines))
    items: list[str] = []
    for line in lines[first:]:
        if line.startswith(ITEM):
            items.append(line.removeprefix(ITEM))
        else:
            items[-1] += f"\n{line}"
    return Block(lines[:first], items)


@require_safe
def snapshots(request: PersonRequest) -> HttpResponse:
    """Show who shared what when, without a word of it."""
    page = Paginator(list_received(request.user), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "teaching/snapshots.html", {"page": page, "snapshots": page.object_list})


@form_page
def snapshot(request: PersonRequest, box_id: UUID) -> HttpResponse:
    """Show a snapshot: its words where it has been opened, else the button that opens it."""
    found = find_received(request.user, box_id)
    key = own_key(request.user, request.space_key)
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


def _page(request: PersonRequest, found: SealedBox, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "teaching/snapshot.html", {"snapshot": found, **context}, status=status)
