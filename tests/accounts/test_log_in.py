"""Logging in and out: who gets in, what they carry away; and the list of where they are logged in, with an end to each."""

from http.cookies import SimpleCookie

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from companion_site.accounts.models import Company, Person, School, Session
from companion_site.accounts.sessions import name_browser
from companion_site.vault.sessions import COOKIE
from tests.cases import cases
from tests.factories import PASSWORD, make_student
from tests.live import change_password, logged_in, logged_in_staff

pytestmark = pytest.mark.django_db
WRONG = "not the password"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"


def attempt(client, username="ada", password=WRONG, **fields):
    return client.post("/login/", {"username": username, "password": password, **fields})


@cases("username", ["Ada", "ADA", " ada "])
def test_a_log_in_name_works_in_any_case(ada, username):
    """Telephones begin with a capital letter."""
    client = Client()
    attempt(client, username, PASSWORD)
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_no_command_makes_a_double_or_a_name_that_is_none(ada):
    """As in the admin; nor does the database keep a name twice in another case, whoever writes it past the services."""
    for username in ("Ada", "bad name!"):
        with pytest.raises(CommandError):
            call_command("createsuperuser", username=username, interactive=False, verbosity=0)
    with pytest.raises(IntegrityError):
        Person.objects.create(username="ADA", display_name="Ada", role="student", language="en")


def test_a_session_is_new_at_log_in(ada):
    """A session that somebody else prepared is not the one that becomes logged in."""
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    attempt(client, password=PASSWORD)
    first = client.cookies["sessionid"].value
    assert first != "a" * 32
    attempt(client, password=PASSWORD)
    assert client.cookies["sessionid"].value != first
    assert not Session.objects.filter(session_key=first).exists()


@cases("https", [False, True])
def test_cookies_are_kept_from_scripts_and_other_sites(ada, settings, https):
    """Session and key are HttpOnly and SameSite, end with the browser or the idle time, and are Secure on https."""
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = https
    answer = attempt(Client(), password=PASSWORD)
    for name in ("sessionid", COOKIE):
        cookie = answer.cookies[name]
        assert cookie["httponly"] and cookie["samesite"] == "Lax" and bool(cookie["secure"]) is https
        assert cookie["max-age"] == ""
    page = Client().get("/login/")
    assert isinstance(page.cookies, SimpleCookie) and page.cookies["csrftoken"]["httponly"]


@pytest.mark.spec("G11")
def test_the_session_row_does_not_open_the_memory(ada):
    """What the database holds of a session is half of the key; the other half is in the browser's cookie alone."""
    client = logged_in("ada")
    cookie = client.cookies[COOKIE].value
    (row,) = Session.objects.all()
    assert cookie not in row.session_data and cookie not in str(row.get_decoded())
    del client.cookies[COOKIE]
    assert client.get("/chat/").url == "/locked/"


def test_a_broken_cookie_or_somebody_else_s_is_a_locked_memory(ada):
    """Whatever stands in the cookie, the answer is the page that tells how to go on."""
    make_student("elsa")
    for value in ("", "x", "é", "A" * 44, "." * 5000, logged_in("elsa").cookies[COOKIE].value):
        client = logged_in("ada")
        client.cookies[COOKIE] = value
        answer = client.get("/chat/", follow=True)
        assert answer.redirect_chain == [("/locked/", 302)] and "Log in again" in answer.text


def test_logging_out_leaves_nothing(ada):
    """The session's row and the key's cookie go, and the old cookies open no page; a link on another site does nothing."""
    client = logged_in("ada")
    old = {name: morsel.value for name, morsel in client.cookies.items()}
    assert client.get("/logout/").status_code == 405 and is_in(client)
    answer = client.post("/logout/")
    assert (answer.url, answer.cookies[COOKIE].value, answer.cookies[COOKIE]["max-age"]) == ("/login/", "", 0)
    assert not Session.objects.exists()
    again = Client()
    again.cookies.load(old)
    assert again.get("/chat/").url == "/login/?next=/chat/"


def test_an_expired_session_asks_for_the_log_in_and_comes_back(ada):
    """After the idle time a page leads to the log-in, and from there to where the person wanted to be."""
    client = logged_in("ada")
    Session.objects.update(expire_date=timezone.now())
    answer = client.get("/account/")
    assert answer.url == "/login/?next=/account/"
    assert attempt(client, password=PASSWORD, next="/account/").url == "/account/"


@cases(
    ("stood_on", "comes_to"),
    [
        ("http://testserver/memory/life/?week=2", "/memory/life/?week=2"),
        ("https://evil.example/memory/life/", "/"),
        ("", "/"),
    ],
)
def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(ada, stood_on, comes_to):
    """Not to an address that takes forms alone; the log-in and the page say that what was typed was not saved."""
    client = logged_in("ada")
    Session.objects.update(expire_date=timezone.now())
    answer = client.post("/memory/life/gratitude/", {"text": "Tea"}, headers={"Referer": stood_on})
    page = client.get(answer.url)
    assert "what you typed was not saved" in page.text and 'name="unsaved"' in page.text
    given = {"next": page.context["next"], "unsaved": page.context["unsaved"]}
    answer = attempt(client, password=PASSWORD, **given)
    assert answer.url == comes_to
    assert "what you typed was not saved" in client.get(answer.url, follow=True).text


def test_who_has_lost_every_cookie_is_led_to_the_log_in(ada):
    """The page that refuses their form links to it; who is logged in is only led to the start."""
    refused = Client(enforce_csrf_checks=True).post("/memory/life/gratitude/", {"text": "Tea"})
    assert refused.status_code == 403 and 'href="/login/"' in refused.text
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert 'href="/login/"' not in client.post("/account/", {}).text


def test_an_idle_session_lives_as_long_as_it_is_used(ada, settings):
    """Each request starts the idle time again."""
    client = logged_in("ada")
    soon = timezone.now() + timezone.timedelta(minutes=1)
    Session.objects.update(expire_date=soon)
    client.get("/account/")
    assert Session.objects.get().expire_date > soon
    assert settings.SESSION_COOKIE_AGE == settings.SESSION_IDLE_MINUTES * 60


@cases(
    "target",
    [
        "https://evil.example/", "//evil.example", "///evil.example", "http:///evil.example", "/\\evil.example",
        "javascript:alert(1)", "https:evil.example",
    ],
)  # fmt: skip
def test_the_way_back_stays_on_this_site(ada, target):
    """`next` leads to pages of this site only; anything else is the start page."""
    assert attempt(Client(), password=PASSWORD, next=target).url == "/"
    assert Client().post(f"/login/?next={target}", {"username": "ada", "password": PASSWORD}).url == "/"


# Where somebody is logged in.


def log_in(user_agent: str, username: str = "ada") -> Client:
    browser = Client(headers={"User-Agent": user_agent})
    assert browser.post("/login/", {"username": username, "password": PASSWORD}).status_code == 302
    return browser


def is_in(browser: Client) -> bool:
    return browser.get("/account/").status_code == 200


def test_a_browser_is_told_by_its_kind_and_by_nothing_else():
    """Whatever a header holds, what is kept is one of few words."""
    told = {name_browser(text) for text in (FIREFOX, EDGE, PHONE, "<b>curl</b>", "", "\x00" * 9000)}
    assert told == {"Firefox, Windows", "Edge, macOS", "Safari, iPhone", ""}


def test_the_page_shows_each_log_in_and_ends_one(ada):
    """One's own is marked; another's or an unknown one cannot be ended; no page holds what opens a session."""
    make_student("elsa")
    here, there, elsa = log_in(FIREFOX), log_in(PHONE), log_in(EDGE, "elsa")
    page = here.get("/account/").text
    assert "Firefox, Windows" in page and "Safari, iPhone" in page and "Edge" not in page
    assert not any(key in page for key in Session.objects.values_list("session_key", flat=True))
    (other,) = Session.objects.filter(person=ada, browser="Safari, iPhone")
    hers = Session.objects.get(person__username="elsa")
    assert here.post(f"/account/log-ins/{hers.pk}/end/").status_code == 404
    assert here.post(f"/account/log-ins/{other.pk}/end/").status_code == 302
    assert here.post(f"/account/log-ins/{other.pk}/end/").status_code == 404
    assert is_in(here) and is_in(elsa) and not is_in(there)


def test_all_others_are_ended_at_once_and_by_a_changed_password(ada):
    """The one that asks stays, there under a new key; the old one opens nothing, and the list still knows the browser."""
    here, others = log_in(FIREFOX), [log_in(PHONE), log_in(EDGE)]
    assert here.post("/account/log-ins/end-others/").status_code == 302
    assert is_in(here) and not any(map(is_in, others))
    there, stolen = log_in(PHONE), Client()
    stolen.cookies.load({name: morsel.value for name, morsel in here.cookies.items()})
    assert change_password(here, "another long one").status_code == 302
    assert is_in(here) and here.get("/chat/").status_code == 200
    assert not is_in(there) and not is_in(stolen)
    assert "Firefox, Windows" in here.get("/account/").text


@cases("field", ["is_active", "role", "company"])
def test_staff_who_change_what_a_log_in_rests_on_end_it_for_good(ada, field):
    """Also when they change it back: nobody comes back in by what was open before."""
    staff, browser = logged_in_staff(), log_in(FIREFOX)
    page = staff.get(f"/admin/accounts/person/{ada.pk}/change/").context["adminform"].form
    form = {name: page[name].value() or "" for name in page.fields}
    school, company = (str(kind.objects.create(name="Demo").pk) for kind in (School, Company))
    changes = {
        "is_active": {"is_active": ""},
        "role": {"role": "teacher", "school": school},
        "company": {"company": company},
    }
    answer = staff.post(f"/admin/accounts/person/{ada.pk}/change/", {**form, **changes[field]})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert not is_in(browser) and not Session.objects.filter(person=ada).exists()
    assert is_in(staff)


def test_staff_see_and_end_log_ins_but_nothing_that_opens_one(ada):
    """The admin's list names person and browser; deleting a row is a log-out."""
    staff, browser = logged_in_staff(), log_in(FIREFOX)
    row = Session.objects.get(person=ada)
    for page in ("/admin/accounts/session/", f"/admin/accounts/session/{row.pk}/change/"):
        text = staff.get(page).text
        assert "Firefox, Windows" in text and row.session_key not in text and row.session_data not in text
    assert staff.post(f"/admin/accounts/session/{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not is_in(browser) and is_in(staff)
