"""A school with a class, its teacher and students, and an auditor; and somebody of each kind who has no business there."""

import json
from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from companion_site.accounts.models import (
    BusinessSystem,
    ClassMembership,
    LearningSystem,
    Person,
    School,
    SchoolClass,
)
from companion_site.accounts.systems import (
    create_system,
    let_device_in,
    renew_secret,
    revoke,
    shut_device_out,
)
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from ledger.models import ThreatAlert
from memory.inbound.inbox import take_in_all
from memory.models import MemoryNode
from tests.factories import NOW, make_business_user, make_student, open_space
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


@pytest.fixture
def strangers(place) -> None:
    """Eva, who teaches `far`, and its school's auditor Sven; Root of the staff; Bo of a company."""
    join(make_student("eva", role=Person.Role.TEACHER, school=place.far.school).person, place.far)
    make_student("sven", role=Person.Role.AUDITOR, school=place.far.school)
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    make_business_user("bo")


@pytest.fixture
def tove(place) -> Client:
    """The browser of the class's teacher."""
    return place.browser("tove")


def join(person: Person, school_class: SchoolClass) -> Person:
    ClassMembership.objects.create(school_class=school_class, person=person)
    return person


def alert_of(student: Person) -> ThreatAlert:
    """Have something threatening said in a student's space; return its alert."""
    with space_scope(student.space_id):
        return ThreatAlert.objects.create(space_id=student.space_id, source_id=new_id(), said_at=NOW)


def boxes(student: Person) -> list[SealedBox]:
    """Return what was sent to a student, the first sent first."""
    with space_scope(student.space_id):
        return list(SealedBox.objects.for_space(student.space_id).order_by("id"))


def take_in(student: Person, *, now: datetime | None = None) -> int:
    """Open what was sent, as when the student is there."""
    return take_in_all(student.space_id, key=open_space(student), now=now or timezone.now())


def remembered(student: Person) -> dict[str, MemoryNode]:
    """Return the memories that a student's space holds now, by their words, the first formed first."""
    key = open_space(student)
    with space_scope(key.space), unlocked(key.space, key):
        return {row.content: row for row in MemoryNode.objects.for_space(key.space).active().order_by("id")}


class Reporter:
    """A learning system of a school, a business system of a company or a person's device, and its way of asking one API."""

    def __init__(self, owner, url, **always):
        self.client, self.url, self.always = Client(), url, always
        if isinstance(owner, Person):
            self.system, self.secret = owner, let_device_in(owner, now=NOW)
            return
        kind, whose = (LearningSystem, "school") if isinstance(owner, School) else (BusinessSystem, "company")
        self.system, self.secret = create_system(kind, name="Moodle", now=NOW, actor=None, **{whose: owner})

    def renew(self):
        if isinstance(self.system, Person):
            self.secret = let_device_in(self.system, now=NOW)
        else:
            self.secret = renew_secret(self.system, now=NOW, actor=None)

    def shut_out(self):
        if isinstance(self.system, Person):
            shut_device_out(self.system, now=NOW)
        else:
            revoke(self.system, now=NOW, actor=None)

    def headers(self, **changed):
        name, secret = changed.pop("name", self.system.pk), changed.pop("secret", self.secret)
        basic = b64encode(f"{name}:{secret}".encode()).decode()
        return {"Authorization": f"Basic {basic}", **self.always, **changed}

    def send(self, body, *, method="POST", query="", content_type="application/json", **headers):
        data = body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.client.generic(
            method, self.url + query, data, content_type=content_type, headers=self.headers(**headers)
        )
