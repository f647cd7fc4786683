"""What a teacher sees of what they sent: when, to whom, and whether it was opened. What it said is gone for them too."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.vault.inbox import is_refused
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope

SHOWN = 50


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """One thing sent to one student."""

    id: UUID
    kind: str
    sent_at: datetime
    #: "waiting", "opened", "retracted" or "refused"
    state: str
    settled_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class LessonReceipt:
    """One lesson of a class, counted over its students."""

    id: UUID
    sent_at: datetime
    sent: int
    opened: int
    retracted: int

    @property
    def waiting(self) -> int:
        return self.sent - self.opened - self.retracted


def receipts_of(teacher: Person, student: Person) -> list[Receipt]:
    """Return the last things that a teacher sent to a student, the newest first."""
    if student.space_id is None:
        return []
    with space_scope(student.space_id):
        rows = SealedBox.objects.for_space(student.space_id).filter(sender=teacher).order_by("-id")
        return [_receipt(box) for box in rows[:SHOWN]]


def lessons_of(teacher: Person, students: Sequence[Person]) -> list[LessonReceipt]:
    """Return the last lessons that a teacher recorded for a class with these students, the newest first."""
    spaces = [student.space_id for student in students if student.space_id]
    # Across spaces, so by the role that sees no content.
    rows = SealedBox.objects.using("metadata").filter(
        space_id__in=spaces, sender=teacher, kind=SealedBox.Kind.LESSON, statement_id__isnull=False
    )
    lessons: dict[UUID, list[tuple[datetime, bool, bool]]] = defaultdict(list)
    names = ("statement_id", "sent_at", "opened_at", "retracted_at")
    for lesson, sent_at, opened_at, retracted_at in rows.order_by("-id").values_list(*names):
        lessons[lesson].append((sent_at, opened_at is not None, retracted_at is not None))
    counted = [_count(lesson, boxes) for lesson, boxes in lessons.items()]
    return sorted(counted, key=lambda lesson: lesson.sent_at, reverse=True)[:SHOWN]


def _receipt(box: SealedBox) -> Receipt:
    if box.retracted_at is not None:
        state, at = "retracted", box.retracted_at
    elif box.opened_at is not None:
        state, at = "refused" if is_refused(box) else "opened", box.opened_at
    else:
        state, at = "waiting", None
    return Receipt(id=box.pk, kind=box.kind, sent_at=box.sent_at, state=state, settled_at=at)


def _count(lesson: UUID, boxes: Sequence[tuple[datetime, bool, bool]]) -> LessonReceipt:
    return LessonReceipt(
        id=lesson,
        sent_at=min(sent_at for sent_at, _, _ in boxes),
        sent=len(boxes),
        opened=sum(opened for _, opened, _ in boxes),
        retracted=sum(retracted for _, _, retracted in boxes),
    )
