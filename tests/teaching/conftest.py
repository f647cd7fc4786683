"""A school with a class, its teacher and students, and an auditor; and somebody of each kind who has no business there."""

from dataclasses import dataclass

import pytest
from django.test import Client

from companion_site.accounts.models import ClassMembership, Person, School, SchoolClass
from tests.factories import make_business_user, make_student
from tests.live import logged_in


@dataclass
class Place:
    """A school's people; `other` is a class of the same school that Tove does not teach, `far` another school's."""

    school: School
    school_class: SchoolClass
    other: SchoolClass
    far: SchoolClass
    tove: Person
    ulla: Person
    ada: Person
    elsa: Person
    #: a student of `other`
    olle: Person
    #: a student of `far`
    filip: Person

    def browser(self, username: str) -> Client:
        return logged_in(username)


@pytest.fixture
def place(committed) -> Place:
    north, south = School.objects.create(name="North"), School.objects.create(name="South")
    school_class = SchoolClass.objects.create(school=north, name="7B")
    other = SchoolClass.objects.create(school=north, name="8A")
    far = SchoolClass.objects.create(school=south, name="7B")
    make_student("eva", role=Person.Role.TEACHER, school=south)
    make_student("sven", role=Person.Role.AUDITOR, school=south)
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    make_business_user("bo")
    join(Person.objects.get(username="eva"), far)
    return Place(
        school=north,
        school_class=school_class,
        other=other,
        far=far,
        tove=join(make_student("tove", role=Person.Role.TEACHER, school=north).person, school_class),
        ulla=make_student("ulla", role=Person.Role.AUDITOR, school=north).person,
        ada=join(make_student("ada", school=north).person, school_class),
        elsa=join(make_student("elsa", school=north, language="sv").person, school_class),
        olle=join(make_student("olle", school=north).person, other),
        filip=join(make_student("filip", school=south).person, far),
    )


def join(person: Person, school_class: SchoolClass) -> Person:
    ClassMembership.objects.create(school_class=school_class, person=person)
    return person
