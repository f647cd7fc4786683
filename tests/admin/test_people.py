"""Staff make people and companies through the services that give them a space, and give log-ins back."""

import re

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session

from companion_site.accounts.models import ClassMembership, Company, Person, School, SchoolClass
from companion_site.accounts.services import personal_space, recover
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.services import has_slot
from tests.factories import NOW, PASSWORD, make_student, open_space
from tests.live import logged_in

pytestmark = pytest.mark.django_db

NEW = {
    "username": "nora",
    "display_name": "Nora",
    "role": "student",
    "language": "sv",
    "is_active": "on",
    "new_password": "a long first password",
    "repeat": "a long first password",
}
CODE = re.compile(r"(?:[A-Z2-7]{4}-){7}[A-Z2-7]{4}")


@pytest.fixture
def staff(db):
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    return logged_in("root")


def test_a_new_person_has_a_space_and_a_code_shown_once(staff):
    """The person logs in with the password, the code opens the memory, and no table or cookie keeps it."""
    answer = staff.post("/admin/accounts/person/add/", NEW)
    (code,) = CODE.findall(answer.text)
    person = Person.objects.get(username="nora")
    assert open_space(person, NEW["new_password"]).space == person.space_id
    assert recover(person, code=code, password="her own long password", now=NOW)
    kept = [session.session_data for session in Session.objects.all()]
    assert not any(code in text for text in (*kept, *(c.value for c in staff.cookies.values())))
    assert CODE.findall(staff.get(f"/admin/accounts/person/{person.pk}/change/").text) == []


def test_who_made_a_person_is_on_record(staff):
    """The platform's chain names the member of staff who made the person."""
    staff.post("/admin/accounts/person/add/", NEW)
    event = AuditEvent.objects.get(
        action="accounts.person_created", subject_id=Person.objects.get(username="nora").pk
    )
    assert event.actor_id == Person.objects.get(username="root").pk


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"repeat": "another long password"}, "repeat"),
        ({"new_password": "short", "repeat": "short"}, "new_password"),
        (
            {"new_password": "nora-svensson", "repeat": "nora-svensson", "username": "nora-svensson"},
            "new_password",
        ),
        ({"role": "business"}, "company"),
        ({"is_superuser": "on"}, "is_superuser"),
        ({"username": ""}, "username"),
    ],
)
def test_a_person_who_does_not_add_up_is_not_made(staff, wrong, field):
    """A weak or mistyped password, a business user of no company and an all-powerful student are refused."""
    answer = staff.post("/admin/accounts/person/add/", {**NEW, **wrong})
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not Person.objects.filter(display_name="Nora").exists()


def test_a_change_is_on_record_and_keeps_the_password(staff):
    """Changing a person leaves password and space alone and records which fields were changed."""
    person = make_student("ada").person
    fields = {
        "username": "ada",
        "display_name": "Ada L",
        "role": "student",
        "language": "en",
        "is_active": "on",
    }
    answer = staff.post(f"/admin/accounts/person/{person.pk}/change/", fields)
    assert answer.status_code == 302
    changed = Person.objects.get(pk=person.pk)
    assert (changed.display_name, changed.space_id) == ("Ada L", person.space_id)
    assert changed.check_password(PASSWORD)
    event = AuditEvent.objects.get(action="accounts.person_changed")
    assert (event.subject_id, event.data) == (person.pk, {"fields": ["display_name"]})


def test_a_reset_says_what_it_does_and_opens_no_memory(staff):
    """After a reset the new password logs in, the memory stays locked, and the page said so before and after."""
    person = make_student("ada").person
    page = f"/admin/accounts/person/{person.pk}/reset-password/"
    assert "recovery code" in staff.get(page).text
    answer = staff.post(page, {"new_password": "set by the staff", "repeat": "set by the staff"}, follow=True)
    assert "recovery code" in answer.text
    assert not has_slot(personal_space(person), KeySlot.Kind.PASSWORD)
    assert logged_in("ada", "set by the staff").get("/chat/").url == "/locked/"
    event = AuditEvent.objects.get(action="accounts.password_reset")
    assert event.actor_id == Person.objects.get(username="root").pk


def test_a_reset_with_a_mistyped_password_changes_nothing(staff):
    """Two passwords that differ are told apart before anything is dropped."""
    person = make_student("ada").person
    page = f"/admin/accounts/person/{person.pk}/reset-password/"
    answer = staff.post(page, {"new_password": "set by the staff", "repeat": "set by the stuff"})
    assert answer.status_code == 200 and "differ" in answer.text
    assert has_slot(personal_space(person), KeySlot.Kind.PASSWORD)


def test_a_company_comes_with_an_open_space(staff):
    """A company made here has its space and its record at once."""
    staff.post("/admin/accounts/company/add/", {"name": "Nordic AB"})
    company = Company.objects.get(name="Nordic AB")
    space = Space.objects.get(pk=company.space_id)
    assert (space.kind, space.sealed, space.company_id) == ("company", False, company.pk)


def test_a_class_and_its_members_are_edited_together(staff):
    """Members are added on the class's own page."""
    person, school = make_student("ada").person, School.objects.create(name="North")
    form = {
        "school": school.pk,
        "name": "7B",
        "classmembership_set-TOTAL_FORMS": 1,
        "classmembership_set-INITIAL_FORMS": 0,
        "classmembership_set-0-person": person.pk,
    }
    answer = staff.post("/admin/accounts/schoolclass/add/", form)
    assert answer.status_code == 302
    assert ClassMembership.objects.get().school_class == SchoolClass.objects.get(name="7B")


def test_the_admin_is_entered_and_left_by_the_site_s_own_doors(client, staff):
    """Its log-in is the site's, its log-out forgets the key's cookie, and a password is never changed alone."""
    assert client.get("/admin/").url == "/admin/login/?next=/admin/"
    assert (
        client.get("/admin/login/?next=/admin/vault/space/").url == "/login/?next=%2Fadmin%2Fvault%2Fspace%2F"
    )
    assert staff.get("/admin/password_change/").url == "/account/"
    answer = staff.post("/admin/logout/")
    assert answer.cookies["companion_key"].value == "" and answer.url == "/login/"
    assert staff.get("/admin/").status_code == 302


def test_only_the_admin_has_the_wider_policy(client, staff):
    """The site's pages allow no evaluation; the admin's allow it, and still no inline script."""
    site, admin = (policy(client.get("/login/")), policy(staff.get("/admin/")))
    assert site["script-src"] == ["'self'"] and site["style-src"] == ["'self'"]
    assert admin["script-src"] == ["'self'", "'unsafe-eval'"]
    assert "'unsafe-inline'" not in admin["style-src-elem"] + admin["script-src"]
    assert admin["default-src"] == ["'none'"]
    assert set(settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]) <= set(admin)


def policy(answer):
    parts = answer["Content-Security-Policy"].split("; ")
    return {name: values for name, *values in (part.split() for part in parts)}
