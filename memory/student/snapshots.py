"""A student's assessment as a text, shared with a teacher on the student's own word: sealed into the teacher's space.

What is shared is exactly the text that was shown. It can be taken back until the teacher has opened it; once opened it stays
readable for that teacher alone.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from companion_site.accounts.models import Person
from companion_site.audit.services import record_event
from companion_site.errors import BoxBroken, NotFound
from companion_site.vault import inbox
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.models import SealedBox
from companion_site.vault.rows import SpaceQuerySet
from companion_site.vault.scope import space_scope
from memory.student.assessment import GOALS, QUESTIONS, STRENGTHS, STRUGGLES, WORK, Assessment, Line

SECTIONS = (STRENGTHS, STRUGGLES, GOALS, WORK, QUESTIONS)


class SnapshotText(BaseModel):
    """What the box holds."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    says: Literal["snapshot"] = "snapshot"
    at: AwareDatetime
    name: str
    text: str


def name_section(section: str) -> str:
    """Return what a part of the assessment is called."""
    return {
        STRENGTHS: _("Strengths"),
        STRUGGLES: _("Struggles"),
        GOALS: _("Goals"),
        WORK: _("Worked on"),
        QUESTIONS: _("Open questions"),
    }[section]


def compose_snapshot(assessment: Assessment, *, sections: Sequence[str], name: str, now: datetime) -> str:
    """Return the chosen parts of an assessment as a text, in the language of the request; "" where they are empty."""
    parts = [_compose_section(assessment, section) for section in SECTIONS if section in sections]
    told = [part for part in parts if part]
    if not told:
        return ""
    heading = _("How %(name)s is getting on, %(day)s") % {"name": name, "day": date_format(now, "j F Y")}
    note = _(
        "Put together by the companion, word for word, from what %(name)s has told it and what teachers and lessons added."
    ) % {"name": name}
    return "\n\n".join([f"{heading}\n{note}", *told])


def digest(text: str) -> str:
    """Return by what a text is recognised that was shown and is now to be shared."""
    return sha256(text.encode()).hexdigest()


def teachers_of(student: Person) -> QuerySet[Person]:
    """Return the active teachers of a student's classes at their school, by name."""
    rows = Person.objects.filter(
        role=Person.Role.TEACHER, is_active=True, space_id__isnull=False, school=student.school_id
    ).filter(classes__in=student.classes.filter(school=student.school_id))
    return rows.distinct().order_by("display_name", "username")


def share_snapshot(student: Person, teacher_id: UUID, *, text: str, now: datetime) -> SealedBox:
    """Seal a text into the space of one of the student's teachers.

    Raises:
        NotFound: no such teacher, or none of theirs.
        CompanionError: the teacher has no inbox yet, or gave their space up.
    """
    teacher = teachers_of(student).filter(pk=teacher_id).first()
    if teacher is None or teacher.space_id is None or student.space_id is None:
        raise NotFound()
    contents = SnapshotText(at=now, name=student.display_name, text=text)
    with space_scope(student.space_id):
        box = inbox.seal_to(
            teacher.space_id,
            kind=SealedBox.Kind.SNAPSHOT,
            text=contents.model_dump_json().encode(),
            sender=student,
            now=now,
        )
        record_event(
            "memory.snapshot_shared",
            chain=student.space_id,
            actor=student,
            subject=box,
            data={"with": str(teacher.pk)},
            now=now,
        )
    return box


def list_shared(student: Person) -> list[dict[str, Any]]:
    """Return the snapshots that a student shared and with whom, the newest first; nobody but the teacher can read them again."""
    boxes = list(_sent_by(student).order_by("-sent_at", "-id"))
    rows = Person.objects.filter(space_id__in={box.space_id for box in boxes})
    teachers = dict(rows.values_list("space_id", "display_name"))
    return [
        {
            "box": box,
            "teacher": teachers[box.space_id],
            "can_be_retracted": box.opened_at is None and box.retracted_at is None,
        }
        for box in boxes
        if box.space_id in teachers
    ]


def retract_snapshot(student: Person, box_id: UUID, *, now: datetime) -> None:
    """Take a snapshot back, while it has not been opened.

    Raises:
        NotFound: the student shared none of that id.
        BoxTaken: it was opened first.
    """
    box = _sent_by(student).find(pk=box_id)
    inbox.retract(box, person=student, now=now)


def read_snapshot(space: UUID, box_id: UUID, *, key: SpaceKey, now: datetime) -> SnapshotText:
    """Return what a student shared with the teacher of this space; from the first reading on it cannot be taken back.

    Raises:
        NotFound: there is no such snapshot, or it was taken back.
        BoxBroken: it cannot be opened.
    """
    with space_scope(space):
        rows = SealedBox.objects.for_space(space).filter(pk=box_id, kind=SealedBox.Kind.SNAPSHOT)
        box = rows.select_for_update().find(retracted_at__isnull=True)
        try:
            contents = SnapshotText.model_validate_json(inbox.open_box(box, key))
        except ValidationError:
            raise BoxBroken() from None
        if rows.filter(opened_at__isnull=True).update(opened_at=now):
            record_event("vault.box_opened", chain=space, subject=box, data={"kind": str(box.kind)}, now=now)
    return contents


def _compose_section(assessment: Assessment, section: str) -> str:
    if section != WORK:
        return _listed(name_section(section), assessment.lines[section])
    weeks = [
        _listed(_("Worked on in the week of %(day)s") % {"day": date_format(monday, "j F Y")}, lines)
        for monday, lines in assessment.weeks.items()
    ]
    return "\n\n".join(weeks)


def _listed(title: str, lines: Sequence[Line]) -> str:
    return "\n".join([title, *(f"- {_say(line)}" for line in lines)]) if lines else ""


def _say(line: Line) -> str:
    """Return a line with how sure it is and how much it rests on."""
    said = line.text if line.is_sure else _("Perhaps: %(text)s") % {"text": line.text}
    count = len(line.memories)
    rests_on = ngettext("%(n)d memory", "%(n)d memories", count) % {"n": count}
    return said if count == 1 else f"{said} ({rests_on})"


def _sent_by(student: Person) -> SpaceQuerySet:
    """Return a student's snapshots in whatever spaces they lie, so by the role that sees no content."""
    rows = SealedBox.objects.using("metadata").defer("sealed_text")
    return rows.filter(kind=SealedBox.Kind.SNAPSHOT, sender=student)
