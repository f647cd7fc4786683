"""Who teaches whom, and whom an auditor of a school looks after; what is not theirs looks like what does not exist."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from companion_site.accounts.models import Person, School, SchoolClass
from companion_site.errors import NotFound

Row = TypeVar("Row", bound=Model)


def classes_of(teacher: Person) -> QuerySet[SchoolClass]:
    """Return the classes of a teacher at their school, by name.

    Raises:
        NotFound: the person teaches nobody by their role.
    """
    if not teacher.is_active or teacher.role != Person.Role.TEACHER:
        raise NotFound()
    return SchoolClass.objects.filter(people=teacher, school=teacher.school_id).select_related("school")


def taught_class(teacher: Person, class_id: UUID) -> SchoolClass:
    """Return one of a teacher's classes.

    Raises:
        NotFound: there is none of that id, or it is not theirs.
    """
    return _the_one(classes_of(teacher), class_id)


def students_of(school_class: SchoolClass) -> QuerySet[Person]:
    """Return the active students of a class, who are of its school, by name."""
    return _students().filter(classes=school_class, school=school_class.school_id)


def invited_to(school_class: SchoolClass) -> QuerySet[Person]:
    """Return the students of a class who have not chosen a password yet: nothing can be sealed to them."""
    return _students(joined=False).filter(classes=school_class, school=school_class.school_id)


def taught_student(teacher: Person, student_id: UUID) -> Person:
    """Return a student who shares a class and the school with a teacher.

    Raises:
        NotFound: there is none of that id, or they are in no class of this teacher, or of another school.
    """
    taught = _students().filter(classes__in=classes_of(teacher), school=teacher.school_id)
    return _the_one(taught, student_id)


def audited_students(auditor: Person) -> QuerySet[Person]:
    """Return the active students of an auditor's school, by name.

    Raises:
        NotFound: the person is no auditor of a school. Auditors of companies are not: nobody is both by one role.
    """
    if not auditor.is_active or auditor.role != Person.Role.AUDITOR or auditor.school_id is None:
        raise NotFound()
    return _students().filter(school=auditor.school_id)


def audited_student(auditor: Person, student_id: UUID) -> Person:
    """Return a student of an auditor's school.

    Raises:
        NotFound: there is none of that id, or they are of another school.
    """
    return _the_one(audited_students(auditor), student_id)


def student_of_school(school: School, username: str) -> Person | None:
    """Return a school's active student by log-in name."""
    name = Person.normalize_username(username)
    return _students().filter(school=school, username=name).first()


def _students(*, joined: bool = True) -> QuerySet[Person]:
    rows = Person.objects.filter(role=Person.Role.STUDENT, is_active=True, space_id__isnull=not joined)
    return rows.order_by("display_name", "username")


def _the_one(rows: QuerySet[Row], row_id: UUID) -> Row:
    found = rows.filter(pk=row_id).first()
    if found is None:
        raise NotFound()
    return found
