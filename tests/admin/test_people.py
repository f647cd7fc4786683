"""Staff make people and companies through the services that give them a space, and give log-ins back."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.utils import timezone

from companion_site.accounts.errors import BadInvitation
from companion_site.accounts.invitations import accept, find_invitation, normalise_code
from companion_site.accounts.models import (
    ClassMembership,
    Company,
    Invitation,
    Person,
    School,
    SchoolClass,
    Session,
)
from companion_site.accounts.services import personal_space
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.services import has_slot
from tests.cases import cases
from tests.factories import PASSWORD, make_student, open_space
from tests.live import logged_in

pytestmark = pytest.mark.django_db

NEW = {"username": "nora", "display_name": "Nora", "role": "student", "language": "sv", "is_active": "on"}
CHOSEN = "her own long password"


def codes_in(answer):
    """Return the invitation codes on a page."""
    return re.findall(r"translate=\"no\">((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4})<", answer.text)


def test_a_new_person_is_invited_and_chooses_the_password(staff):
    """They have no space and no password; the code is shown once, held by no table, session or cookie, and makes both.

    Who made them is on record, and no page of the admin takes a password.
    """
    answer = staff.post("/admin/accounts/person/add/", NEW)
    (code,) = codes_in(answer)
    assert "no-store" in answer["Cache-Control"] and f"/join/#{code}" in answer.text
    person = Person.objects.get(username="nora")
    assert (person.space_id, person.has_usable_password()) == (None, False)
    event = AuditEvent.objects.get(action="accounts.person_created", subject_id=person.pk)
    assert event.actor_id == Person.objects.get(username="root").pk
    assert bytes(Invitation.objects.get().code_hash) != normalise_code(code).encode()
    kept = [session.session_data for session in Session.objects.all()]
    assert not any(code in text for text in (*kept, *(c.value for c in staff.cookies.values())))
    assert codes_in(staff.get(f"/admin/accounts/person/{person.pk}/change/")) == []
    accept(code, password=CHOSEN, now=timezone.now())
    person.refresh_from_db()
    assert open_space(person, CHOSEN).space == person.space_id
    for page in ("add", f"{person.pk}/change", f"{person.pk}/reset-password", f"{person.pk}/invite"):
        assert 'type="password"' not in staff.get(f"/admin/accounts/person/{page}/").text


def test_a_class_is_invited_at_once(staff):
    """Each who has no password gets a slip in their own language; the page before says who, and who is left out."""
    school = School.objects.create(name="North")
    group = SchoolClass.objects.create(school=school, name="7B")
    people = [make_student("ada").person]
    for name in ("nora", "olle", "gone"):
        staff.post("/admin/accounts/person/add/", {**NEW, "username": name, "school": school.pk})
        people.append(Person.objects.get(username=name))
    Person.objects.filter(username="gone").update(is_active=False)
    for person in people:
        ClassMembership.objects.create(school_class=group, person=person)
    page = f"/admin/accounts/schoolclass/{group.pk}/invite/"
    asked = staff.get(page)
    assert [person.username for person in asked.context["waiting"]] == ["nora", "olle"]
    assert asked.context["joined"] == 2 and codes_in(asked) == []
    slips = staff.post(page, {"yes": "1"})
    assert len(codes_in(slips)) == 2 and "Skriv den" in slips.text and "North" in slips.text
    assert Invitation.objects.standing().count() == 3  # the inactive one's, made before, opens nothing
    chosen = [str(person.pk) for person in people]
    action = {"action": "invite_selected", "_selected_action": chosen}
    assert len(staff.post("/admin/accounts/person/", action).context["waiting"]) == 2
    assert len(codes_in(staff.post("/admin/accounts/person/", {**action, "yes": "1"}))) == 2
    states = [
        row.standing_invitations for row in staff.get("/admin/accounts/person/").context["cl"].result_list
    ]
    assert sum(map(len, states)) == 3


def test_an_invitation_is_withdrawn_and_made_anew(staff):
    """Withdrawn on the person's page or in the list it opens nothing; a new one does, and the one before it no more."""
    (first,) = codes_in(staff.post("/admin/accounts/person/add/", NEW))
    person = Person.objects.get(username="nora")
    own = f"/admin/accounts/person/{person.pk}"
    assert staff.get(f"{own}/withdraw/").status_code == 200 and opens(first)
    staff.post(f"{own}/withdraw/")
    assert not opens(first)
    (second,) = codes_in(staff.post(f"{own}/invite/", {"yes": "1"}))
    (third,) = codes_in(staff.post(f"{own}/invite/", {"yes": "1"}))
    assert (opens(second), opens(third)) == (False, True)
    everything = [row.pk for row in Invitation.objects.all()]
    action = {"action": "withdraw_selected", "_selected_action": everything}
    assert staff.post("/admin/accounts/invitation/", action).status_code == 302
    assert not opens(third)


def opens(code):
    try:
        return bool(find_invitation(code, now=timezone.now()))
    except BadInvitation:
        return False


@cases(
    ("wrong", "field"),
    [
        ({"role": "business"}, "company"),
        ({"is_superuser": "on"}, "is_superuser"),
        ({"username": ""}, "username"),
        ({"username": "root"}, "username"),
        ({"username": "Root"}, "username"),
        ({"username": "bad name!"}, "username"),
        ({"role": "teacher"}, "school"),
        ({"role": "auditor"}, "school"),
        ({"role": "staff"}, "is_superuser"),
    ],
)
def test_a_person_who_does_not_add_up_is_not_made(staff, wrong, field):
    """A business user of no company, an all-powerful student, who could do nothing, and a name that is taken, in whatever case, or
    is none are refused."""
    answer = staff.post("/admin/accounts/person/add/", {**NEW, **wrong})
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not Person.objects.filter(display_name="Nora").exists()


def test_a_change_is_on_record_and_keeps_the_password(staff):
    """Changing a person leaves password and space alone and records which fields were changed."""
    person = make_student("ada").person
    fields = {**NEW, "username": "ada", "display_name": "Ada L", "language": "en"}
    answer = staff.post(f"/admin/accounts/person/{person.pk}/change/", fields)
    assert answer.status_code == 302
    changed = Person.objects.get(pk=person.pk)
    assert (changed.display_name, changed.space_id) == ("Ada L", person.space_id)
    assert changed.check_password(PASSWORD)
    event = AuditEvent.objects.get(action="accounts.person_changed")
    assert (event.subject_id, event.data) == (person.pk, {"fields": ["display_name"]})


def test_a_reset_says_what_it_does_and_opens_no_memory(staff):
    """The old password ends at once with its sessions; what follows is seen in tests/accounts/test_invitations.py."""
    person = make_student("ada").person
    before = logged_in("ada")
    page = f"/admin/accounts/person/{person.pk}/reset-password/"
    assert "recovery code" in staff.get(page).text and before.get("/chat/").status_code == 200
    (code,) = codes_in(staff.post(page))
    assert before.get("/chat/").url == "/login/?next=/chat/"
    assert not has_slot(personal_space(person), KeySlot.Kind.PASSWORD)
    assert opens(code)
    event = AuditEvent.objects.get(action="accounts.password_reset")
    assert event.actor_id == Person.objects.get(username="root").pk


def test_a_company_comes_with_an_open_space(staff):
    """A company made here has its space and its record at once."""
    staff.post("/admin/accounts/company/add/", {"name": "Nordic AB"})
    company = Company.objects.get(name="Nordic AB")
    space = Space.objects.get(pk=company.space_id)
    assert (space.kind, space.sealed, space.company_id) == ("company", False, company.pk)


@cases("role", ["student", "teacher"])
def test_a_class_has_only_people_of_its_own_school(staff, role):
    """Members are added on the class's page, chosen by name, role and school. Its teachers see how its students are, so somebody of
    another school is refused by the same."""
    north, south = (School.objects.create(name=f"{name} {role}") for name in ("North", "South"))
    own, stranger = (
        make_student(f"{at.name[:5]}-{role}", school=at, role=role, display_name="Sam")
        for at in (north, south)
    )
    picker = {
        "app_label": "accounts",
        "model_name": "classmembership",
        "field_name": "person",
        "term": "south",
    }
    (found,) = staff.get("/admin/autocomplete/", picker).json()["results"]
    assert found["text"] == f"Sam (south-{role}), {role.title()}, South {role}"
    answer = staff.post("/admin/accounts/schoolclass/add/", class_form(north, stranger))
    told = f"{found['text']} is not of North {role}"
    assert answer.status_code == 200 and told in unescape(answer.text)
    assert not ClassMembership.objects.exists()
    assert staff.post("/admin/accounts/schoolclass/add/", class_form(north, own)).status_code == 302
    assert ClassMembership.objects.get().school_class == SchoolClass.objects.get(name="7B")


def class_form(school, member):
    """Return the form of a new class with one member."""
    return {
        "school": school.pk,
        "name": "7B",
        "classmembership_set-TOTAL_FORMS": 1,
        "classmembership_set-INITIAL_FORMS": 0,
        "classmembership_set-0-person": member.person.pk,
    }


@cases("lines", ["abc", "School nurse Eva, 040-12 34 56\nRoom 7"])
def test_a_school_s_own_help_lines_have_telephone_numbers(staff, lines):
    """A line without one is refused, and the form that is expected shown; with one it is kept."""
    answer = staff.post("/admin/accounts/school/add/", {"name": "North", "help_lines": lines})
    assert list(answer.context["adminform"].form.errors) == ["help_lines"]
    assert f"“{lines.splitlines()[-1]}”" in answer.text and "School nurse Eva, 040-12 34 56." in answer.text
    kept = {"name": "North", "help_lines": "School nurse Eva, 040-12 34 56\nBris 116 111"}
    assert staff.post("/admin/accounts/school/add/", kept).status_code == 302


def test_the_history_and_the_record_are_in_the_language_of_who_reads(staff):
    """Fields that were changed, and the record's columns, by the words of the catalogue."""
    Person.objects.filter(username="root").update(language="sv")
    school = School.objects.create(name="North")
    staff.post(f"/admin/accounts/school/{school.pk}/change/", {"name": "North", "help_lines": "Bris 116 111"})
    assert "Ändrade egna hjälplinjer." in staff.get(f"/admin/accounts/school/{school.pk}/history/").text
    columns = re.findall(r"<th[^>]*>(.*?)</th>", staff.get("/admin/audit/auditevent/").text, re.S)
    told = " ".join(columns)
    assert "Kedja" in told and "Slags föremål" in told and "Chain" not in told


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
