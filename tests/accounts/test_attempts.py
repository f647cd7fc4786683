"""How often one may try to log in: by name, by address, over all; and who gets in all the same."""

from contextlib import contextmanager
from contextvars import Context
from datetime import timedelta

import argon2
import pytest
import structlog
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.db.models import F
from django.test import Client

from companion_site.accounts.attempts import BROWSER_COOKIE as COOKIE
from companion_site.accounts.invitations import reset_password
from companion_site.accounts.models import LimitCount, Person
from companion_site.accounts.services import personal_space
from companion_site.audit.models import AuditEvent
from companion_site.vault import gate, slots
from companion_site.vault.services import close_space
from tests.factories import NOW, PASSWORD, make_invited_student, make_student
from tests.live import change_password, logged_in, logged_in_staff

pytestmark = pytest.mark.django_db
WRONG, NEW = "not the password", "another long password"
HOME, ELSEWHERE = "198.51.100.7", "203.0.113.9"


def attempt(client, username="ada", password=WRONG):
    return client.post("/login/", {"username": username, "password": password}).status_code


def at(address):
    return Client(REMOTE_ADDR=address)


def until_closed(client, username="ada"):
    """Try until the answer is 429; return how many were refused before it."""
    for tries in range(300):
        status = attempt(client, username)
        if status == 429:
            return tries
        assert status == 200
    raise AssertionError("never closed")


def pass_time(time):
    LimitCount.objects.update(until=F("until") - time)


def test_wrong_passwords_close_the_log_in_for_a_name_at_an_address(ada, settings):
    """Known or not, at once; the answer says what to do and when; the right password helps elsewhere and others alone."""
    make_student("elsa")
    assert until_closed(at(HOME)) == until_closed(at(HOME), "nobody") == settings.LOGIN_ATTEMPTS
    page = at(HOME).post("/login/", {"username": "ada", "password": PASSWORD})
    assert page.status_code == 429 and 0 < int(page["Retry-After"]) <= 90
    assert "Wait 2 minutes" in page.text and "<h1" in page.text
    assert attempt(at(HOME), "elsa", PASSWORD) == 302
    assert attempt(at(ELSEWHERE), "ada", PASSWORD) == 302


def test_delays_grow(ada, settings):
    """After what a quarter of an hour allows one try at a time is open, and after a day's share the waits are longer."""
    settings.LOGIN_ATTEMPTS = 10
    settings.LOGIN_ATTEMPTS_NAME = 1000
    client, waits = at(HOME), []
    for _ in range(140):
        answer = client.post("/login/", {"username": "ada", "password": WRONG})
        if answer.status_code == 429:
            waits.append(int(answer["Retry-After"]))
            pass_time(timedelta(seconds=waits[-1]))
    shown = [round(wait, -1) for wait in waits]  # a second goes by while a page is made
    assert shown == sorted(shown) and shown[0] == 90 and shown[-1] == 36 * 60


def test_a_name_is_slowed_wherever_it_is_tried_from(ada, settings):
    """Many addresses together are held back too; the browser in which its owner logged in before goes on as if nothing were."""
    own = at(ELSEWHERE)
    assert attempt(own, "ada", PASSWORD) == 302
    own.post("/logout/")
    tries = sum(attempt(at(f"198.51.100.{number}")) == 200 for number in range(50))
    assert tries == settings.LOGIN_ATTEMPTS_NAME
    assert attempt(at("192.0.2.1"), "ada", PASSWORD) == 429
    assert attempt(own, "ada", PASSWORD) == 302
    pass_time(timedelta(minutes=15))
    assert attempt(at("192.0.2.1"), "ada", PASSWORD) == 302


def test_a_classmate_shuts_nobody_out_of_a_browser_that_is_bounded_too(ada, settings):
    """Behind one address with whoever tries, it has as many tries as anybody, and knows no other name better for it."""
    make_student("elsa")
    own = at(HOME)
    for _ in range(2):
        assert attempt(own, "ada", PASSWORD) == 302
        own.post("/logout/")
        until_closed(at(HOME))
        assert attempt(at(HOME), "ada", PASSWORD) == 429
    assert until_closed(own) == settings.LOGIN_ATTEMPTS
    assert until_closed(own, "elsa") == settings.LOGIN_ATTEMPTS
    assert until_closed(at(HOME), "elsa") == 0, "the name of a stranger counts by the address"


def test_a_forged_browser_knows_nobody(ada):
    """A cookie that the site did not sign, or signed for another name, is none."""
    make_student("eve")
    eve = at(HOME)
    attempt(eve, "eve", PASSWORD)
    signed = eve.cookies[COOKIE].value
    changed = signed[:-1] + ("A" if signed[-1] != "A" else "B")
    for value in ("", "x", "a:b:c", changed, signed, "é", "." * 4000):
        client = at(HOME)
        client.cookies[COOKIE] = value
        for _ in range(10):
            attempt(client)
    client = at(HOME)
    client.cookies[COOKIE] = signed
    assert attempt(client) == 429


def test_names_from_one_address_are_slowed(ada, settings):
    """Another name each time does not help, and an IPv6 network counts as one."""
    settings.LOGIN_ATTEMPTS_ADDRESS = 20
    tried = [attempt(at(HOME), f"name{number}") for number in range(30)]
    assert tried == [200] * 20 + [429] * 10
    assert attempt(at(HOME), "ada", PASSWORD) == 429
    assert attempt(at(ELSEWHERE), "ada", PASSWORD) == 302
    tried = [attempt(at(f"2001:db8::{number:x}"), f"other{number}") for number in range(30)]
    assert tried == [200] * 20 + [429] * 10


def test_over_all_there_is_a_bound(ada, settings):
    """Another name from another address each time does not help either; known browsers pass."""
    own = at(HOME)
    attempt(own, "ada", PASSWORD)
    settings.LOGIN_ATTEMPTS_ALL = 20
    tried = [attempt(at(f"203.0.113.{number}"), f"name{number}") for number in range(30)]
    assert tried == [200] * 20 + [429] * 10
    rows = LimitCount.objects.count()
    assert attempt(at("192.0.2.1"), "one more") == 429
    assert LimitCount.objects.count() == rows, "what is refused at the door leaves no row"
    own.post("/logout/")
    assert attempt(own, "ada", PASSWORD) == 302


def test_a_whole_class_gets_in_behind_one_address(settings):
    """Right log-ins count for nothing: more of them than the address may fail, and some typing errors among them."""
    settings.LOGIN_ATTEMPTS_ADDRESS = 12
    for number in range(30):
        make_student(f"student{number}")
    for number in range(30):
        browser = at(HOME)
        if number % 3 == 0:
            assert attempt(browser, f"student{number}") == 200
        assert attempt(browser, f"student{number}", PASSWORD) == 302


def test_every_way_of_trying_counts_for_the_same(ada, settings):
    """Log-in, recovery code, new start and change of password share one count."""
    settings.LOGIN_ATTEMPTS = 4
    client = at(HOME)
    new = {"new_password": NEW, "repeat": NEW}
    ways = [
        ("/login/", {"username": "ada", "password": WRONG}),
        ("/recover/", {"username": "ada", "code": "AAAA-BBBB", **new}),
        ("/start-anew/", {"username": "ada", "current_password": WRONG, "confirm": "on", **new}),
        ("/recover/", {"username": "ada", "code": "", **new}),
    ]
    assert [client.post(*way).status_code for way in ways] == [200] * 4
    assert attempt(client) == 200
    assert [client.post(*way).status_code for way in ways] == [429] * 3 + [200]
    own = logged_in("ada")
    tried = [change_password(own, NEW, current_password=WRONG).status_code for _ in range(5)]
    assert tried == [422] * 4 + [429]


def test_staff_open_a_closed_log_in(ada):
    """The person's page shows what is used up; forgetting it lets the person in at once, and is on record."""
    until_closed(at(HOME))
    staff = logged_in_staff()
    page = f"/admin/accounts/person/{ada.pk}/open-log-in/"
    assert "log-in, here: 10 / 10" in staff.get(page).text
    assert attempt(at(HOME), password=PASSWORD) == 429
    assert staff.post(page).status_code == 302
    assert attempt(at(HOME), password=PASSWORD) == 302
    assert AuditEvent.objects.get(action="accounts.log_in_opened").subject_id == ada.pk
    assert "log-in, here" not in staff.get("/admin/accounts/limitcount/").text
    assert logged_in("ada").get(page).status_code in (302, 403)


def test_what_was_typed_lies_nowhere(ada):
    """Neither log nor database holds a name that was tried, which may be somebody's password."""
    with structlog.testing.capture_logs() as lines:
        for _ in range(12):
            attempt(at(HOME), "hunter2secret")
    events = [line["event"] for line in lines]
    assert events.count("accounts.log_in_refused") == 10 and events.count("accounts.attempts_closed") == 2
    assert "hunter2secret" not in str(lines) and WRONG not in str(lines)
    with connection.cursor() as cursor:
        for table in ("accounts_limitcount", "audit_auditevent", "accounts_session"):
            cursor.execute(f"SELECT string_agg(kept::text, '') FROM \"{table}\" kept")  # noqa: S608
            assert "hunter2secret" not in (cursor.fetchone()[0] or "")


@contextmanager
def derivations(monkeypatch):
    """Write down each derivation that the libraries make, with its cost."""
    made = []

    def watch(owner, name, cost):
        inner = getattr(owner, name)

        def watched(*args, **kwargs):
            made.append(cost(*args, **kwargs))
            return inner(*args, **kwargs)

        monkeypatch.setattr(owner, name, watched)

    def cost_of_vault(**given):
        return given["memory_cost"], given["iterations"], given["lanes"]

    def cost_of_hash(encoded, *args):
        found = argon2.extract_parameters(encoded.decode())
        return found.memory_cost, found.time_cost, found.parallelism

    def cost_of_new_hash(secret, salt, time_cost, memory_cost, parallelism, *args, **kwargs):
        return memory_cost, time_cost, parallelism

    watch(slots, "Argon2id", cost_of_vault)
    watch(argon2.low_level, "verify_secret", cost_of_hash)
    watch(argon2._password_hasher, "verify_secret", cost_of_hash)
    watch(argon2.low_level, "hash_secret", cost_of_new_hash)
    yield made


def test_a_refusal_costs_the_same_whoever_is_named(settings, monkeypatch):
    """Known, unknown, shut out, reset or without a slot: each refusal derives as often and at the same cost, and says the same."""
    settings.LOGIN_ATTEMPTS_ADDRESS = 1000
    make_student("ada")
    make_student("inactive", is_active=False)
    reset_password(make_student("reset").person, now=NOW, actor=None)
    make_invited_student("invited")
    Person.objects.filter(pk=make_student("unusable").person.pk).update(password=make_password(None))
    spaceless = make_student("spaceless").person
    close_space(personal_space(spaceless), now=NOW, actor=spaceless)
    names = ["ada", "nobody", "inactive", "reset", "invited", "unusable", "spaceless", "é" * 60, "a'b\"%_"]
    new = {"new_password": NEW, "repeat": NEW}
    ways = {
        "/login/": {"password": WRONG},
        "/recover/": {"code": "AAAA-BBBB", **new},
        "/start-anew/": {"current_password": WRONG, "confirm": "on", **new},
    }
    vault = settings.VAULT_ARGON2
    cost = (vault["memory_cost"], vault["iterations"], vault["lanes"])
    differing = []
    with derivations(monkeypatch) as made:
        for way, given in ways.items():
            pages = set()
            for name in names:
                made.clear()
                page = at(HOME).post(way, {"username": name, **given})
                pages.add(
                    (page.status_code, "sessionid" in page.cookies, *page.context["form"].non_field_errors())
                )
                if made != [cost]:
                    differing.append((way, name, list(made)))
            assert len(pages) == 1 and next(iter(pages))[:2] == (200, False), pages
    assert differing == []


def test_where_too_many_try_the_answer_is_a_page(ada, settings, monkeypatch):
    """429 with the time to wait and what to do; nothing is counted for it, and the next gets in."""
    monkeypatch.setattr(gate, "PATIENCE_S", 0.01)
    settings.DERIVATIONS_AT_ONCE = 1
    gate.derivation_gate.cache_clear()
    held, context = gate.derivation_gate().turn("somebody"), Context()
    counted = LimitCount.objects.count()
    try:
        context.run(held.__enter__)
        page = at(HOME).post("/login/", {"username": "ada", "password": PASSWORD})
        assert page.status_code == 429 and int(page["Retry-After"]) >= 1 and "some seconds" in page.text
        assert LimitCount.objects.count() == counted
        context.run(held.__exit__, None, None, None)
        assert attempt(at(HOME), password=PASSWORD) == 302
    finally:
        gate.derivation_gate.cache_clear()
