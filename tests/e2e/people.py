"""`python -m tests.e2e.people NAME ...`: make students on the site whose data VAR_DIR names; NAME@CLASS joins a class."""

import sys

import django

PASSWORD = "correct horse battery"
#: What `make run` says that demo people log in with.
DEMO_PASSWORD = "companion-demo"


def make_students(names: list[str]) -> None:
    """Make students who can log in with `PASSWORD`; of "name@class" the class is one that the site has."""
    django.setup()
    from django.utils import timezone

    from companion_site.accounts.models import ClassMembership, Person, SchoolClass
    from companion_site.accounts.services import create_person

    for name, _, joins in (name.partition("@") for name in names):
        school_class = SchoolClass.objects.get(name=joins) if joins else None
        person = create_person(
            name,
            password=PASSWORD,
            now=timezone.now(),
            role=Person.Role.STUDENT,
            language="en",
            display_name=name if joins else "",
            school=school_class and school_class.school,
            welcomed_at=timezone.now(),
        ).person
        if school_class:
            ClassMembership.objects.create(school_class=school_class, person=person)


if __name__ == "__main__":
    make_students(sys.argv[1:])
