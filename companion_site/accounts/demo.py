"""The people of a first look: students, a teacher and an auditor of a school; a company's people; staff."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from companion_site.accounts.models import ClassMembership, Person, School, SchoolClass
from companion_site.accounts.services import create_company, create_person

PASSWORD = "companion-demo"  # noqa: S105  shown on purpose: demo people are for a first look on one's own machine


@dataclass(frozen=True)
class DemoPerson:
    username: str
    role: str
    language: str
    #: a person of the company, not of the school
    of_company: bool = False


PEOPLE = (
    DemoPerson("ada", Person.Role.STUDENT, "en"),
    DemoPerson("elsa", Person.Role.STUDENT, "sv"),
    DemoPerson("bo", Person.Role.BUSINESS, "sv", of_company=True),
    DemoPerson("siv", Person.Role.BUSINESS, "sv", of_company=True),
    DemoPerson("revi", Person.Role.AUDITOR, "sv", of_company=True),
    DemoPerson("tove", Person.Role.TEACHER, "sv"),
    DemoPerson("ulla", Person.Role.AUDITOR, "sv"),
    DemoPerson("admin", Person.Role.STAFF, "en"),
)


def ensure_demo_people(*, now: datetime) -> bool:
    """Make the demo people where nobody exists yet; return whether they were made."""
    with transaction.atomic():
        if Person.objects.exists():
            return False
        school = School.objects.create(name="Demo School")
        school_class = SchoolClass.objects.create(school=school, name="7B")
        company = create_company("Demo AB", now=now)
        for demo in PEOPLE:
            place = {"company": company} if demo.of_company else {"school": school}
            person = create_person(
                demo.username,
                password=PASSWORD,
                now=now,
                display_name=demo.username.title(),
                role=demo.role,
                language=demo.language,
                is_superuser=demo.role == Person.Role.STAFF,
                welcomed_at=now,
                **place,
            ).person
            if demo.role in (Person.Role.STUDENT, Person.Role.TEACHER):
                ClassMembership.objects.create(school_class=school_class, person=person)
    return True


def demo_people() -> list[Person]:
    """Return those of the demo people who are here."""
    return list(Person.objects.filter(username__in=[demo.username for demo in PEOPLE]).order_by("id"))
