"""`python -m tests.e2e.people NAME ...`: make students on the site whose data VAR_DIR names."""

import sys

import django

PASSWORD = "correct horse battery"
#: What `make run` says that demo people log in with.
DEMO_PASSWORD = "companion-demo"


def make_students(names: list[str]) -> None:
    """Make students who can log in with `PASSWORD`."""
    django.setup()
    from django.utils import timezone

    from companion_site.accounts.models import Person
    from companion_site.accounts.services import create_person

    for name in names:
        create_person(name, password=PASSWORD, now=timezone.now(), role=Person.Role.STUDENT, language="en")


if __name__ == "__main__":
    make_students(sys.argv[1:])
