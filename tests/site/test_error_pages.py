"""Whatever goes wrong, the page says so plainly and says what to do, and never repeats what was said."""

import pytest
from django.test import Client

from tests.factories import make_student
from tests.live import logged_in
from tests.site.urls import WORDS

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.site.urls")]

STATUS = {"denied": 403, "suspicious": 400, "crash": 500, "missing": 404, "empty": 400, "broken": 409}


@pytest.fixture
def browser():
    make_student("ada")
    client = logged_in("ada")
    client.raise_request_exception = False
    return client


def is_whole_page(answer):
    """Tell a page of the site from a bare line of text: a heading, a way on, no traceback."""
    return "<h1" in answer.text and 'href="/"' in answer.text and "Traceback" not in answer.text


def test_an_error_is_a_page_without_content(browser):
    """Each kind of error has its status and a page that leads on, with no word of what was being handled, nor of the address."""
    addresses = {f"/wrong/{how}/": status for how, status in STATUS.items()}
    for address, status in {**addresses, "/chat/my-cat-is-called-Moses/": 404}.items():
        answer = browser.get(address, {"q": WORDS})
        assert answer.status_code == status, address
        assert is_whole_page(answer) and "Moses" not in answer.text, address


@pytest.mark.spec("C14")
def test_an_error_page_speaks_the_person_s_language(browser):
    """A Swedish reader gets a Swedish error."""
    english = browser.get("/wrong/missing/").text
    make_student("elsa", language="sv")
    swedish = logged_in("elsa").get("/wrong/missing/").text
    assert 'lang="sv"' in swedish and 'lang="en"' in english


def test_a_strange_host_name_is_refused(browser):
    """Somebody who points a name of theirs here gets 400 and no page of a person's."""
    answer = Client(headers={"Host": "evil.example"}).get("/login/")
    assert answer.status_code == 400 and "evil" not in answer.text


def test_a_form_that_is_too_large_is_refused(browser, settings):
    """A body beyond the limit is turned away with a page, and nothing of it is kept."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = browser.post("/login/", {"username": WORDS * 100, "password": "x"})
    assert answer.status_code == 413 and is_whole_page(answer) and "Moses" not in answer.text
