"""What a teacher sees of what they sent: when, to whom, and whether it was opened. What it said is gone for them too."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, F, Min, QuerySet

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


def receipts_of(teacher: Person, student: Person) -> list[Receipt]:
    """Return the last things that a teacher sent to a student, the newest first."""
    if student.space_id is None:
        return []
    with space_scope(student.space_id):
        rows = SealedBox.objects.for_space(student.space_id).filter(sender=teacher).order_by("-id")
        boxes = list(rows[:SHOWN])
    receipts = []
    for box in boxes:
        if box.retracted_at is not None:
            state = "retracted"
        elif box.opened_at is not None:
            state = "refused" if is_refused(box) else "opened"
        else:
            state = "waiting"
        settled_at = box.retracted_at or box.opened_at
        receipts.append(
            Receipt(id=box.pk, kind=box.kind, sent_at=box.sent_at, state=state, settled_at=settled_at)
        )
    return receipts


def lessons_of(teacher: Person, students: Sequence[Person]) -> QuerySet:
    """Return the last lessons that a teacher recorded for a class with these students, counted over them, the newest first."""
    spaces = [student.space_id for student in students if student.space_id]
    # Across spaces, so by the role that sees no content.
    rows = SealedBox.objects.using("metadata").filter(
        space_id__in=spaces, sender=teacher, kind=SealedBox.Kind.LESSON, statement_id__isnull=False
    )
    counts = {
        "first": Min("sent_at"),
        "sent": Count("id"),
        "opened": Count("opened_at"),
        "retracted": Count("retracted_at"),
    }
    waiting = F("sent") - F("opened") - F("retracted")
    return rows.values("statement_id").annotate(**counts).annotate(waiting=waiting).order_by("-first")[:SHOWN]
