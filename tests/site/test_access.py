"""Every address is either for logged-in people or on the list of those that are not."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, resolve

from companion_site.accounts.models import Person
from tests.cases import cases
from tests.factories import make_business_user, make_student
from tests.live import logged_in

#: Addresses that open without a log-in, each with the reason.
PUBLIC = {
    "login/": "the log-in",
    "join/": "for who was invited and has no password yet",
    "recover/": "for who cannot log in",
    "start-anew/": "for who cannot log in",
    "i18n/setlang/": "a choice of language",
    "healthz": "asked by machines",
    "readyz": "asked by machines",
    "metrics": "for a scraper that knows the token, or this machine alone",
    "api/xapi/about": "asked by machines",
    "api/v1/": "the API's description",
    "api/v1/openapi.json": "the API's description, for programs",
    "api/company/state/": "logs in by a secret of its own",
    "api/xapi/statements": "logs in by a secret of its own",
    "api/transcripts/": "logs in by a secret of its own",
    "api/measures/": "logs in by a secret of its own",
}
#: Addresses that open without a log-in, to lead to it or to say that they take a post alone.
ON_THE_WAY = {"admin/login/", "logout/"}
#: What programs read with a person's session: they are told to log in instead of being led there.
FOR_PROGRAMS = ("api/v1/",)
#: What stands for the parts of an address.
PARTS = {
    r"<uuid:\w+>": str(uuid4()),
    "<slug:verb>": "deactivate",
    "<path:object_id>": str(uuid4()),
    r"<int:\w+>": "1",
    "<str:day>": "2026-03-02",
    "<slug:name>": "steps",
    "<slug:part>": "gratitude",
}

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("E2")]


def addresses(resolver=None, prefix=""):
    """Return every address of the site as it is written in the code."""
    found = []
    for pattern in (resolver or get_resolver()).url_patterns:
        written = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found.append(written)
        else:
            found += addresses(pattern, written)
    return found


def filled(address):
    for part, value in PARTS.items():
        address = re.sub(part, value, address)
    return "/" + address


def plain(address):
    """Tell an address from one that is a pattern, such as the admin's catch-all."""
    return not set(filled(address)) & set("<>()$^?\\")


ALL = [address for address in addresses() if plain(address)]


def test_an_address_asks_for_the_log_in_or_is_public():
    """Without a session every page that is not public leads to the log-in, by reading and by writing, and no answer may be cached."""
    wrong = []
    for address in ALL:
        for ask in (Client().get, Client().post):
            answer = ask(filled(address))
            leads_to_log_in = answer.status_code == 302 and "login/" in answer.url
            if address.startswith(FOR_PROGRAMS) and address not in PUBLIC:
                leads_to_log_in = answer.status_code == 401
            if address in ON_THE_WAY:
                is_right = leads_to_log_in or answer.status_code == 405
            else:
                is_right = leads_to_log_in != (address in PUBLIC)
            if not is_right or may_be_kept(answer):
                wrong.append((address, answer))
    assert wrong == []


def may_be_kept(answer):
    return "no-store" not in answer.headers.get("Cache-Control", "")


def test_no_page_is_left_out_of_the_check_of_forms():
    """None of the site's views is exempt from its own token; programs' addresses know no cookie."""
    pages = [address for address in ALL if not address.startswith("api/")]
    exempt = [page for page in pages if getattr(resolve(filled(page)).func, "csrf_exempt", False)]
    assert exempt == [] != pages


@pytest.mark.slow
def test_no_address_takes_a_form_of_another_site():
    """Without the token of the site's own form a logged-in browser's post is 403 everywhere, with a page; programs' addresses know no cookie."""
    make_student("ada")
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = logged_in("ada").cookies
    pages = [address for address in ALL if not address.startswith("api/")]
    answers = {address: browser.post(filled(address)) for address in pages}
    assert [address for address, answer in answers.items() if answer.status_code != 403] == []
    assert all("<h1" in answer.text for answer in answers.values())


@pytest.mark.slow
def test_nobody_but_staff_opens_the_admin():
    """Every address of the admin turns a role away before it looks for a row, each role in its turn, and its log-in all of them."""
    roles = [role for role in Person.Role if role != Person.Role.STAFF]
    clients = [_client_of(role) for role in roles]
    wrong = []
    admin = [address for address in ALL if address.startswith("admin/")]
    for place, address in enumerate(admin):
        if address not in ("admin/login/", "admin/logout/"):
            client = clients[place % len(clients)]
            for answer in (client.get(filled(address)), client.post(filled(address))):
                if answer.status_code != 302 or not answer.url.startswith("/admin/login/"):
                    wrong.append((address, roles[place % len(clients)], answer))
    assert wrong == []
    assert len(admin) > 20 * len(roles), "each role is to ask for many of them"
    assert [client.get("/admin/login/").status_code for client in clients] == [403] * len(clients)


def _client_of(role):
    if role == Person.Role.BUSINESS:
        make_business_user("eve")
        return logged_in("eve")
    make_student(f"eve-{role}", role=role)
    return logged_in(f"eve-{role}")


@pytest.mark.slow
@cases("role", [Person.Role.TEACHER, Person.Role.AUDITOR, Person.Role.STAFF])
def test_people_who_do_not_chat_have_no_conversations(role):
    """The chat's addresses are 404 to teachers, auditors and staff."""
    make_student("eve", role=role)
    client = logged_in("eve")
    for address in ALL:
        if address.startswith("chat/"):
            answers = {client.get(filled(address)).status_code, client.post(filled(address)).status_code}
            assert answers <= {404, 405}, address


def test_what_somebody_is_shown_stays_with_the_site():
    """After a log-out, going back shows nothing: no answer may be cached. No page outside the admin has inline script, evaluation, or anything from elsewhere."""
    make_student("ada")
    client = logged_in("ada")
    for address in ALL:
        if address.startswith("admin/"):
            continue  # closed to them, as to whoever is not logged in
        answer = client.get(filled(address))
        assert not may_be_kept(answer), address
        policy = answer["Content-Security-Policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy, address
        assert "http:" not in policy and "https:" not in policy and "*" not in policy, address
