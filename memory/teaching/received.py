"""What students shared with a teacher, without its words: who, when, and whether it was opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.errors import NotFound
from companion_site.vault.inbox import pending_boxes
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.student.snapshots import waiting_snapshots


@dataclass(frozen=True, kw_only=True)
class Received:
    """One snapshot as its teacher sees it before reading."""

    id: UUID
    student: str
    sent_at: datetime
    opened_at: datetime | None
    retracted_at: datetime | None


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


def list_received(teacher: Person, *, student: Person | None = None) -> list[Received]:
    """Return what was shared with a teacher, by one student or all, and not taken back, the newest first; needs no key."""
    boxes = waiting_snapshots(teacher_space(teacher))
    return _describe([box for box in boxes if student is None or box.sender_id == student.pk])


def find_received(teacher: Person, box_id: UUID) -> Received:
    """Return one snapshot shared with a teacher, also one that was taken back; needs no key.

    Raises:
        NotFound: nothing of that id was shared with them.
    """
    space = teacher_space(teacher)
    with space_scope(space):
        rows = SealedBox.objects.for_space(space).filter(pk=box_id, kind=SealedBox.Kind.SNAPSHOT)
        found = rows.first()
    if found is None:
        raise NotFound()
    return _describe([found])[0]


def _describe(boxes: Sequence[SealedBox]) -> list[Received]:
    students = Person.objects.in_bulk({box.sender_id for box in boxes})
    return [
        Received(
            id=box.pk,
            student=students[box.sender_id].display_name,
            sent_at=box.sent_at,
            opened_at=box.opened_at,
            retracted_at=box.retracted_at,
        )
        for box in boxes
    ]
