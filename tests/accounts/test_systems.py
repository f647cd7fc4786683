"""Staff let programs of schools and companies in and shut them out; the secret is shown once and kept nowhere."""

import re

import pytest
from django.contrib import admin

from companion_site.accounts.models import BusinessSystem, Company, LearningSystem, Person, School, Session
from companion_site.accounts.systems import find_system, revoke
from companion_site.audit.models import AuditEvent
from tests.factories import NOW, make_student
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("E7"), pytest.mark.spec("C11")]

SECRET = re.compile(r'id="secret"[^>]*>([\w-]{43})<')
#: A kind of system, whose it is, and by what name.
KINDS = {LearningSystem: (School, "school"), BusinessSystem: (Company, "company")}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def made(staff, request):
    """A system made by the admin's form, and the secret that its page showed."""
    model, _owner = KINDS[request.param]
    answer = add(staff, request.param, model.objects.create(name="North").pk)
    return request.param.objects.get(name="Moodle"), SECRET.findall(answer.text)[0]


def add(staff, kind, owner):
    address = f"/admin/accounts/{kind._meta.model_name}/add/"
    return staff.post(address, {KINDS[kind][1]: owner, "name": "Moodle"})


def page(system, what):
    return f"/admin/accounts/{system._meta.model_name}/{system.pk}/{what}/"


def find(system, secret, *, name=None):
    return find_system(type(system), name=str(system.pk) if name is None else name, secret=secret)


def test_the_secret_is_shown_once_and_logs_in(staff, made):
    """The page of the making shows it, no other page, table or cookie does."""
    system, secret = made
    assert find(system, secret) == system
    assert SECRET.findall(staff.get(page(system, "change")).text) == []
    kept = [session.session_data for session in Session.objects.all()] + [system.secret_hash]
    assert not any(secret in text for text in (*kept, *(cookie.value for cookie in staff.cookies.values())))
    event = AuditEvent.objects.get(action=f"accounts.{system._meta.model_name}_created")
    assert (event.subject_id, event.data) == (system.pk, {})


def test_a_new_secret_ends_the_old_one_and_lets_in_again_who_was_shut_out(staff, made):
    """Each is asked for first by a page that says so and changes nothing; then the old secret opens nothing any more."""
    system, old = made
    assert "stops working" in staff.get(page(system, "new-secret")).text
    assert find(system, old) == system
    secret = SECRET.findall(staff.post(page(system, "new-secret")).text)[0]
    assert find(system, old) is None
    staff.get(page(system, "revoke"))
    assert find(system, secret) == system
    assert "can send nothing any more" in staff.post(page(system, "revoke"), follow=True).text
    assert find(system, secret) is None
    new = SECRET.findall(staff.post(page(system, "new-secret")).text)[0]
    assert find(system, new) == system
    actions = AuditEvent.objects.filter(subject_id=system.pk).values_list("action", flat=True)
    assert set(actions) == {
        f"accounts.{system._meta.model_name}_{verb}" for verb in ("created", "revoked", "renewed")
    }


def test_nobody_is_let_in_by_a_name_alone_or_by_one_of_the_other_kind(made):
    """Unknown and impossible names are nobody's; a company's program reports no lessons, nor a learning platform figures."""
    system, secret = made
    for name in ("", "no id", "0198b9b0-7d3c-7c57-9d0a-5f1f6f8f9a11", "\x00"):
        assert find(system, secret, name=name) is None and find(system, "", name=name) is None, name
    (other,) = set(KINDS) - {type(system)}
    assert find_system(other, name=str(system.pk), secret=secret) is None


def test_a_name_changed_at_the_same_moment_does_not_let_a_system_in(made, rf):
    """Two of staff at once: a page that was read before the system was shut out writes the name alone."""
    system, secret = made
    page, request = admin.site._registry[type(system)], rf.post("/")
    request.user = Person.objects.get(username="root")
    read_before = type(system).objects.get(pk=system.pk)
    revoke(system, now=NOW, actor=None)
    form = page.get_form(request, read_before, change=True)({"name": "Canvas"}, instance=read_before)
    page.save_model(request, form.save(commit=False), form, change=True)
    system.refresh_from_db()
    assert (system.name, system.revoked_at) == ("Canvas", NOW) and find(system, secret) is None


def test_staff_without_the_permission_change_nothing(made):
    """Renewing and shutting out ask for more than being staff."""
    system, secret = made
    make_student("intern", role=Person.Role.STAFF)
    intern = logged_in("intern")
    for what in ("new-secret", "revoke", "change"):
        assert intern.post(page(system, what)).status_code in (302, 403)
    assert find(system, secret) == system
