"""The ledger's pages: kept word for word, revised and never edited."""

import pytest
from django.urls import reverse

from ledger.models import LedgerEntry
from tests.cases import cases

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G2")]
NUTS = {"category": "fact", "content": "I am allergic to nuts.", "importance": "0.9"}


@pytest.fixture
def entry(browser):
    """The address of one entry."""
    return browser.post(reverse("memory:ledger"), NUTS).url


def rows(scoped, access):
    return scoped(lambda: list(LedgerEntry.objects.for_space(access.space).order_by("revision")))


def test_something_is_kept_by_its_category(browser, scoped, ada):
    """With the words and names that bring it up, given with commas or on lines."""
    given = {**NUTS, "triggers": "nut, nuts\nallergy", "trigger_entities": "Moses"}
    browser.post(reverse("memory:ledger"), given)
    (row,) = rows(scoped, ada)
    assert scoped(lambda: (row.content, row.triggers, row.trigger_entities)) == (
        "I am allergic to nuts.", ["nut", "nuts", "allergy"], ["Moses"],
    )  # fmt: skip
    page = browser.get(reverse("memory:ledger")).content.decode()
    assert 'id="group-fact">Fact' in page and "I am allergic to nuts." in page


@cases("zone", ["America/New_York", "Asia/Tokyo"])
def test_the_last_day_of_the_calendar_can_be_read_again(browser, settings, zone):
    """West of Greenwich it ends in the year 10000, which no page could show."""
    settings.TIME_ZONE = zone
    answer = browser.post(reverse("memory:ledger"), {**NUTS, "expires": "9999-12-31"})
    assert answer.status_code == 302 and browser.get(answer.url).status_code == 200


def test_a_change_is_a_new_revision(entry, browser, scoped, ada):
    """The words before stay, and both stand in the history; what was not touched is as it was."""
    browser.post(entry, {**NUTS, "content": "I am allergic to peanuts.", "revision": "1"})
    first, second = rows(scoped, ada)
    assert (first.superseded_by_id, second.revision, second.importance) == (second.pk, 2, first.importance)
    page = browser.get(entry).content.decode()
    assert page.index("allergic to peanuts") < page.index("allergic to nuts") and "Version 1" in page


def test_a_change_made_on_an_old_page_is_told_so(entry, browser, scoped, ada):
    """Another tab was faster: nothing is written over."""
    browser.post(entry, {**NUTS, "content": "I am allergic to peanuts.", "revision": "1"})
    answer = browser.post(entry, {**NUTS, "content": "I am allergic to milk.", "revision": "1"})
    assert answer.status_code == 400 and "changed in the meantime" in answer.content.decode()
    assert len(rows(scoped, ada)) == 2


def test_an_entry_is_retired_and_brought_back(entry, browser, scoped, ada):
    """Each by a revision of its own."""
    assert "It does not count any more" in browser.get(entry).content.decode()
    browser.post(f"{entry}retire/")
    assert "does not count any more" in browser.get(reverse("memory:ledger")).content.decode()
    browser.post(f"{entry}bring-back/")
    assert [row.is_active for row in rows(scoped, ada)] == [True, False, True]
    assert browser.post(f"{entry}destroy/").status_code == 404


@cases(
    "wrong",
    [
        {"content": ""}, {"category": "rumour"}, {"importance": "9"}, {"importance": "nan"}, {"expires": "yesterday"},
        {"expires": "2001-01-01"}, {"content": "x" * 4001}, {"triggers": ",".join("a" * 81 for _ in range(3))},
        {"triggers": ",".join(map(str, range(10_000)))},
    ])  # fmt: skip
def test_what_cannot_be_kept_is_told_so(browser, scoped, ada, wrong):
    """A clear page, and nothing half-written."""
    answer = browser.post(reverse("memory:ledger"), {**NUTS, **wrong})
    assert answer.status_code == 400 and 'role="alert"' in answer.content.decode()
    assert rows(scoped, ada) == []
