"""Staff let a school's learning systems in and shut them out; the secret is shown once and kept nowhere."""

import re

import pytest
from django.contrib.sessions.models import Session

from companion_site.accounts.learning_systems import find_learning_system
from companion_site.accounts.models import LearningSystem, Person, School
from companion_site.audit.models import AuditEvent
from tests.factories import make_student
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("E7")]

SECRET = re.compile(r'id="secret"[^>]*>([\w-]{43})<')
ADD = "/admin/accounts/learningsystem/add/"


@pytest.fixture
def staff(db):
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    return logged_in("root")


@pytest.fixture
def made(staff):
    """A system made by the admin's form, and the secret that its page showed."""
    school = School.objects.create(name="North")
    answer = staff.post(ADD, {"school": school.pk, "name": "Moodle"})
    return LearningSystem.objects.get(name="Moodle"), SECRET.findall(answer.text)[0]


def page(system, what):
    return f"/admin/accounts/learningsystem/{system.pk}/{what}/"


def test_the_secret_is_shown_once_and_logs_in(staff, made):
    """The page of the making shows it, no other page, table or cookie does."""
    system, secret = made
    assert find_learning_system(str(system.pk), secret) == system
    assert SECRET.findall(staff.get(page(system, "change")).text) == []
    kept = [session.session_data for session in Session.objects.all()] + [system.secret_hash]
    assert not any(secret in text for text in (*kept, *(cookie.value for cookie in staff.cookies.values())))
    event = AuditEvent.objects.get(action="accounts.learningsystem_created")
    assert (event.subject_id, event.data) == (system.pk, {})


def test_a_new_secret_ends_the_old_one(staff, made):
    """Asked for first by a page that says so; then the old one is nothing any more."""
    system, old = made
    assert "stops working" in staff.get(page(system, "new-secret")).text
    assert find_learning_system(str(system.pk), old) == system
    new = SECRET.findall(staff.post(page(system, "new-secret")).text)[0]
    assert find_learning_system(str(system.pk), old) is None
    assert find_learning_system(str(system.pk), new) == system


def test_a_system_is_shut_out_and_let_in_again(staff, made):
    """Shut out, its secret opens nothing; a new one lets it in."""
    system, secret = made
    staff.get(page(system, "revoke"))
    assert find_learning_system(str(system.pk), secret) == system
    assert "can send nothing any more" in staff.post(page(system, "revoke"), follow=True).text
    assert find_learning_system(str(system.pk), secret) is None
    new = SECRET.findall(staff.post(page(system, "new-secret")).text)[0]
    assert find_learning_system(str(system.pk), new) == system
    actions = AuditEvent.objects.filter(subject_id=system.pk).values_list("action", flat=True)
    assert set(actions) == {f"accounts.learningsystem_{verb}" for verb in ("created", "revoked", "renewed")}


@pytest.mark.parametrize("name", ["", "no id", "0198b9b0-7d3c-7c57-9d0a-5f1f6f8f9a11", "\x00"])
def test_nobody_is_let_in_by_a_name_alone(made, name):
    """Unknown and impossible names are nobody's, with any secret."""
    assert find_learning_system(name, made[1]) is None and find_learning_system(name, "") is None


def test_staff_without_the_permission_change_nothing(made):
    """Renewing and shutting out ask for more than being staff."""
    system, secret = made
    make_student("intern", role=Person.Role.STAFF)
    intern = logged_in("intern")
    for what in ("new-secret", "revoke", "change"):
        assert intern.post(page(system, what)).status_code in (302, 403)
    assert find_learning_system(str(system.pk), secret) == system


def test_a_name_is_taken_once_in_a_school(staff, made):
    """Two systems of one school are told apart by their names."""
    system, _ = made
    answer = staff.post(ADD, {"school": system.school_id, "name": "Moodle"})
    assert answer.status_code == 200 and LearningSystem.objects.count() == 1
