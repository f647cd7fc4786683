"""The account page's list of log-ins: where, since when, and an end to each."""

import pytest
from django.test import Client

from companion_site.accounts.models import Company, School, Session
from companion_site.accounts.sessions import name_browser
from tests.cases import cases
from tests.factories import PASSWORD, make_student
from tests.live import change_password, logged_in_staff

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"


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


def test_all_others_are_ended_at_once(ada):
    """The one that asks goes on."""
    here, others = log_in(FIREFOX), [log_in(PHONE), log_in(EDGE)]
    assert here.post("/account/log-ins/end-others/").status_code == 302
    assert is_in(here) and not any(map(is_in, others))


def test_a_changed_password_ends_all_others(ada):
    """Who changed it stays, under a new key; the old one opens nothing, and the list still knows the browser."""
    here, there = log_in(FIREFOX), log_in(PHONE)
    stolen = Client()
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
