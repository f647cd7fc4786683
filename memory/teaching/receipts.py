"""What a teacher sees of what they sent: when, to whom, and whether it was opened. What it said is gone for them too."""

from collections.abc import Sequence

from django.db.models import Count, F, Min, QuerySet

from companion_site.accounts.models import Person
from companion_site.vault.inbox import is_refused
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope

SHOWN = 50


def receipts_of(teacher: Person, student: Person) -> list[tuple[SealedBox, str]]:
    """Return the last things that a teacher sent to a student, the newest first, each with what became of it."""
    if student.space_id is None:
        return []
    with space_scope(student.space_id):
        rows = SealedBox.objects.for_space(student.space_id).filter(sender=teacher).order_by("-id")
        return [(box, _state(box)) for box in rows[:SHOWN]]


def _state(box: SealedBox) -> str:
    if box.retracted_at is not None:
        return "retracted"
    if box.opened_at is None:
        return "waiting"
    return "refused" if is_refused(box) else "opened"


def lessons_of(teacher: Person, students: Sequence[Person]) -> QuerySet:
    """Return the last lessons that a teacher recorded for a class with these students, counted over them, the newest first."""
    spaces = [student.space_id for student in students if student.space_id]
    # Across spaces, so by the role that sees no content.
    rows = SealedBox.objects.using("metadata").filter(
        space_id__in=spaces, sender=teacher, kind=SealedBox.Kind.LESSON, statement_id__isnull=False
    )
    counted = rows.values("statement_id").annotate(
        first=Min("sent_at"), sent=Count("id"), opened=Count("opened_at"), retracted=Count("retracted_at")
    )
    waiting = F("sent") - F("opened") - F("retracted")
    return counted.annotate(waiting=waiting).order_by("-first")[:SHOWN]
