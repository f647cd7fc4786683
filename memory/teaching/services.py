"""What teachers do: tell a student's companion something, tell a class's companions of a lesson, take either back, and see what became of it.

Everything is sealed to the students' spaces as it is sent; the teacher keeps receipts, and what it said is gone for them too. The id
that a form carries makes sending it twice the same as once.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Min, QuerySet

from companion_site.accounts.classes import students_of
from companion_site.accounts.models import Person, SchoolClass
from companion_site.errors import NotFound
from companion_site.language import as_language, detect_language
from companion_site.vault.errors import BoxTaken, NoInbox, SpaceClosed
from companion_site.vault.inbox import is_refused, retract, seal_to
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.inbound.contents import Lesson, Observation

SHOWN = 50


def observe(teacher: Person, student: Person, *, observation_id: UUID, text: str, now: datetime) -> SealedBox:
    """Seal what a teacher noticed into a student's space.

    Raises:
        NoInbox: the student has not logged in since their memory could take anything in.
        StatementDiffers: something else was sent under this id.
    """
    contents = Observation(at=now, language=_language(text, teacher), by=teacher.display_name, text=text)
    return _seal(contents, teacher, student, statement_id=observation_id, identity=text.encode())


def record_lesson(
    teacher: Person,
    school_class: SchoolClass,
    *,
    lesson_id: UUID,
    title: str,
    taught: str,
    result: str,
    now: datetime,
) -> tuple[int, list[Person]]:
    """Seal a lesson into the space of each student of a class; return how many got it, and whose memory takes nothing in yet.

    Raises:
        StatementDiffers: something else was sent under this id.
    """
    language = _language(" ".join((title, taught, result)), teacher)
    contents = Lesson(at=now, language=language, title=title, taught=taught, result=result)
    identity = contents.model_dump_json(exclude={"at"}).encode()
    sent, unreached = 0, []
    with transaction.atomic():
        # In the order of their spaces: two lessons recorded at once never wait for each other in a circle.
        for student in sorted(students_of(school_class), key=_space):
            try:
                _seal(contents, teacher, student, statement_id=lesson_id, identity=identity)
                sent += 1
            except (NoInbox, SpaceClosed):
                unreached.append(student)
    return sent, unreached


def _seal(
    contents: Observation | Lesson, teacher: Person, student: Person, *, statement_id: UUID, identity: bytes
) -> SealedBox:
    return seal_to(
        _space(student),
        kind=contents.kind,
        text=contents.to_bytes(),
        sender=teacher,
        statement_id=statement_id,
        identity=identity,
        now=contents.at,
    )


def take_back(teacher: Person, student: Person, box_id: UUID, *, now: datetime) -> None:
    """Take back what a teacher sent to a student.

    Raises:
        NotFound: the student got no such thing from this teacher.
        BoxTaken: it was opened first.
    """
    space = _space(student)
    with space_scope(space):
        box = SealedBox.objects.for_space(space).find(pk=box_id, sender=teacher)
    retract(box, person=teacher, now=now)


def take_back_lesson(
    teacher: Person, school_class: SchoolClass, lesson_id: UUID, *, now: datetime
) -> tuple[int, int]:
    """Take back a lesson from everybody who has not opened it; return how many that were, and from how many it was too late.

    Raises:
        NotFound: this teacher recorded no such lesson for this class.
    """
    taken, late = 0, 0
    for student in students_of(school_class):
        space = _space(student)
        with space_scope(space):
            boxes = SealedBox.objects.for_space(space)
            box = boxes.filter(statement_id=lesson_id, sender=teacher, retracted_at__isnull=True).first()
        if box is None:
            continue
        try:
            retract(box, person=teacher, now=now)
            taken += 1
        except BoxTaken:
            late += 1
    if not taken + late:
        raise NotFound()
    return taken, late


def _space(student: Person) -> UUID:
    if student.space_id is None:
        raise NotFound()
    return student.space_id


def _language(text: str, teacher: Person):
    return detect_language(text, default=as_language(teacher.language))


def receipts_of(teacher: Person, student: Person) -> list[tuple[SealedBox, str]]:
    """Return the last things that a teacher sent to a student, the newest first, each with what became of it."""
    space = _space(student)
    with space_scope(space):
        rows = SealedBox.objects.for_space(space).filter(sender=teacher).order_by("-id")
        return [(box, _state(box)) for box in rows[:SHOWN]]


def _state(box: SealedBox) -> str:
    if box.retracted_at is not None:
        return "retracted"
    if box.opened_at is None:
        return "waiting"
    return "refused" if is_refused(box) else "opened"


def lessons_of(teacher: Person, students: Sequence[Person]) -> QuerySet:
    """Return the last lessons that a teacher recorded for a class with these students, counted over them, the newest first."""
    # Across spaces, so by the role that sees no content.
    rows = SealedBox.objects.using("metadata").filter(
        space_id__in=map(_space, students),
        sender=teacher,
        kind=SealedBox.Kind.LESSON,
        statement_id__isnull=False,
    )
    counted = rows.values("statement_id").annotate(
        first=Min("sent_at"), sent=Count("id"), opened=Count("opened_at"), retracted=Count("retracted_at")
    )
    waiting = F("sent") - F("opened") - F("retracted")
    return counted.annotate(waiting=waiting).order_by("-first")[:SHOWN]
