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
    display_name: str
    role: str
    language: str
    #: a person of the company, not of the school
    of_company: bool = False


PEOPLE = (
    DemoPerson("ada", "Ada", Person.Role.STUDENT, "en"),
    DemoPerson("elsa", "Elsa", Person.Role.STUDENT, "sv"),
    DemoPerson("bo", "Bo", Person.Role.BUSINESS, "sv", of_company=True),
    DemoPerson("siv", "Siv", Person.Role.BUSINESS, "sv", of_company=True),
    DemoPerson("revi", "Revi", Person.Role.AUDITOR, "sv", of_company=True),
    DemoPerson("tove", "Tove", Person.Role.TEACHER, "sv"),
    DemoPerson("ulla", "Ulla", Person.Role.AUDITOR, "sv"),
    DemoPerson("admin", "Admin", Person.Role.STAFF, "en"),
)
#: who talks with the companion for the company, its owner first
COMPANY_PEOPLE = ("bo", "siv")


def ensure_demo_people(*, now: datetime) -> bool:
    """Make the demo people where nobody exists yet; return whether they were made."""
    with transaction.atomic():
        if Person.objects.exists():
            return False
        school = School.objects.create(name="Demo School")
        school_class = SchoolClass.objects.create(school=school, name="7B")
        company = create_company("Demo AB", now=now)
        for demo in PEOPLE:
            _make(demo, school=school, school_class=school_class, company=company, now=now)
    return True


def demo_people() -> list[Person]:
    """Return those of the demo people who are here."""
    return list(Person.objects.filter(username__in=[demo.username for demo in PEOPLE]).order_by("id"))


def _make(demo: DemoPerson, *, school, school_class, company, now: datetime) -> None:
    person = create_person(
        demo.username,
        password=PASSWORD,
        now=now,
        display_name=demo.display_name,
        role=demo.role,
        language=demo.language,
        school=None if demo.of_company else school,
        company=company if demo.of_company else None,
        is_superuser=demo.role == Person.Role.STAFF,
        welcomed_at=now,
    ).person
    if demo.role in (Person.Role.STUDENT, Person.Role.TEACHER):
        ClassMembership.objects.create(school_class=school_class, person=person)
