"""Whose pages these are: a company's own auditors'. To everybody else, its members included, they do not exist."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from companion_site.accounts.models import Person, School
from companion_site.vault.scope import space_scope
from memory.models import CompanyEvent, CompanyFact
from tests.cases import cases
from tests.factories import make_business_user, make_student
from tests.live import logged_in
from tests.memory.company.audit.rows import live, make_auditor

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C13")]

OWN = ("overview", "facts", "search", "review", "refused", "extractions", "compressions")
WORDS = ("K3", "K2", "dividend", "förklaringar", "October", "cheese")


def addresses(lived):
    """Return every address that names something of a company."""
    facts = list(lived.ids().values())
    return [
        *(reverse("company:fact", args=[fact]) for fact in facts),
        *(reverse("company-api:fact", args=[fact]) for fact in facts),
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
    return [
        *(reverse(f"company:{name}") for name in OWN),
        f"{reverse('company-api:search')}?q=dividend",
        f"{reverse('company-api:export')}?q=dividend&form=json",
        reverse("company-api:facts"),
    ]


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
    own = {str(fact) for fact in other.ids().values()}
    theirs = {str(fact) for fact in lived.ids().values()}
    shown = json.loads(client.get(f"{reverse('company-api:facts')}?state=all").content)["facts"]
    assert {fact["id"] for fact in shown} == own
    exported = b"".join(client.post(reverse("company:export"), {"form": "json", "state": "all"})).decode()
    assert not any(fact in exported for fact in theirs)
    foreign = f"{reverse('company-api:facts')}?said_by={lived.member.pk}"
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


def test_two_members_share_and_neither_sees_the_pages(lived):
    """The memory is one for both, shown by the one auditor's list of who said what; to both its pages are 404."""
    make_business_user("bea", company=lived.company)
    for username in ("bo", "bea"):
        client = logged_in(username)
        for address in own_pages():
            assert client.get(address).status_code == 404
    assert lived.member.display_name in logged_in("ulla").get(reverse("company:facts")).text


def test_who_is_no_longer_active_or_has_no_company_sees_nothing(lived):
    """An auditor moved to a school is logged out and has nothing to see here; neither has one whose log-in was closed."""
    client = logged_in("ulla")
    Person.objects.filter(username="ulla").update(school=School.objects.create(name="School"))
    assert client.get(reverse("company:overview")).status_code == 302
    assert logged_in("ulla").get(reverse("company:overview")).status_code == 404
    Person.objects.filter(username="ulla").update(school=None, is_active=False)
    assert client.get(reverse("company:overview")).status_code == 302
    assert client.get(reverse("company-api:facts")).status_code == 401


def test_without_log_in_pages_lead_to_it_and_the_api_says_so(lived):
    """A page redirects to the log-in; the API answers 401 in JSON."""
    client = Client()
    assert client.get(reverse("company:overview")).status_code == 302
    answer = client.get(reverse("company-api:fact", args=[lived.ids()["k3"]]))
    assert answer.status_code == 401 and answer.json()["error"] == "not-authenticated"


def test_two_auditors_of_one_company_see_the_same(lived):
    """The memory is the company's, not an auditor's."""
    make_auditor("nils", company=lived.company)
    pages = [logged_in(name).get(reverse("company-api:facts")).json()["facts"] for name in ("ulla", "nils")]
    assert pages[0] == pages[1] != []


def test_writing_needs_a_post_with_a_token_and_nothing_is_cached(lived, browser):
    """Reading changes nothing; a form from elsewhere is refused; going back after a log-out shows nothing."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    for address, given in writes(lived):
        assert browser.get(address).status_code == 405, address
        assert strict.post(address, given).status_code == 403, address
    for address in own_pages():
        assert "no-store" in browser.get(address)["Cache-Control"], address
