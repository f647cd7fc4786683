"""Whose pages these are: a company's own auditors'. To everybody else, its members included, they do not exist."""

import json

import pytest
from django.urls import reverse

from companion_site.accounts.models import Person, School
from companion_site.vault.scope import space_scope
from memory.models import CompanyEvent, CompanyFact
from tests.cases import cases
from tests.factories import make_business_user, make_student
from tests.live import logged_in
from tests.memory.company.audit.rows import live

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C13")]

OWN = ("overview", "facts", "search", "review", "refused", "extractions", "compressions")
WORDS = ("K3", "K2", "dividend", "förklaringar", "October", "cheese")


def addresses(lived):
    """Return every address that names something of a company."""
    facts = list(lived.ids().values())
    return [
        *(reverse("company:fact", args=[fact]) for fact in facts),
        reverse("company:extraction", args=[lived.extraction.pk]),
    ]


def writes(lived):
    """Return every address that changes something, or takes it along."""
    ids = lived.ids()
    return [
        (reverse("company:keep", args=[ids["k3"]]), {}),
        (reverse("company:undo", args=[ids["k2"]]), {}),
        (reverse("company:doubt", args=[ids["k3"]]), {"holds": "1"}),
        (reverse("company:export"), {"form": "csv", "state": "all"}),
    ]


def own_pages():
    return [*(reverse(f"company:{name}") for name in OWN), f"{reverse('company:search')}?q=dividend"]


def trace_of(lived):
    """Return how many events there are and what is believed."""
    with space_scope(lived.space):
        facts = CompanyFact.objects.for_space(lived.space).order_by("id")
        events = CompanyEvent.objects.for_space(lived.space).count()
        return events, list(facts.values_list("id", "superseded_by_id", "reviewed_at"))


def test_the_auditor_gets_every_page(lived, browser):
    """So that the answers below mean what they seem to."""
    for address in [*own_pages(), *addresses(lived)]:
        assert browser.get(address).status_code == 200, address


def test_another_company_s_auditor_finds_nothing(lived):
    """Each id is 404, for reading and for writing, and none of the words are on that auditor's own pages."""
    other = live("Other AB", member="eva", auditor="otto")
    with space_scope(other.space):
        CompanyFact.objects.for_space(other.space).update(flagged_at=None)
    before = trace_of(lived)
    client = logged_in("otto")
    for address in addresses(lived):
        answer = client.get(address)
        assert answer.status_code == 404 and not any(word in answer.text for word in WORDS), address
    for address, given in writes(lived)[:2]:
        assert client.post(address, given).status_code == 404, address
    assert trace_of(lived) == before
    exported = b"".join(client.post(reverse("company:export"), {"form": "json", "state": "all"}))
    assert {fact["id"] for fact in json.loads(exported)["facts"]} == {
        str(fact) for fact in other.ids().values()
    }
    foreign = f"{reverse('company:facts')}?said_by={lived.member.pk}"
    assert client.get(foreign).status_code == 400


@pytest.mark.slow
@cases("role", Person.Role)
def test_nobody_else_has_these_pages(lived, role):
    """Students, teachers, staff, a school's auditors and even the company's own members get what does not exist."""
    if role == Person.Role.BUSINESS:
        make_business_user("eve", company=lived.company)
    else:
        make_student("eve", role=role)
    client = logged_in("eve")
    for address in [*own_pages(), *addresses(lived)]:
        answer = client.get(address)
        assert answer.status_code == 404 and not any(word in answer.text for word in WORDS), address
    for address, given in writes(lived):
        assert client.post(address, given).status_code == client.get(address).status_code == 404, address
    assert client.post(reverse("company:overview")).status_code == 404


def test_who_is_no_longer_active_or_has_no_company_sees_nothing(lived):
    """An auditor moved to a school is logged out and has nothing to see here; neither has one whose log-in was closed."""
    client = logged_in("ulla")
    Person.objects.filter(username="ulla").update(school=School.objects.create(name="School"))
    assert client.get(reverse("company:overview")).status_code == 302
    assert logged_in("ulla").get(reverse("company:overview")).status_code == 404
    Person.objects.filter(username="ulla").update(school=None, is_active=False)
    assert client.get(reverse("company:overview")).status_code == 302


def test_writing_needs_a_post(lived, browser):
    """Reading changes nothing."""
    for address, _given in writes(lived):
        assert browser.get(address).status_code == 405, address
