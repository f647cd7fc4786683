"""The auditor's pages in a real browser: sound for everybody, used by keyboard and without scripts."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.memory.company.audit.rows import live

PAGES = (
    "", "?as_of=2026-02-25T12:00", "?as_of=then", "facts/?state=all", "facts/?state=nonsense", "facts/{k2}/", "facts/{k3}/",
    "facts/{one}/", "facts/{both}/", "search/", "search/?q=annual+report", "review/", "refused/", "extractions/",
    "extractions/{extraction}/", "compressions/",
)  # fmt: skip

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C12")]


@pytest.fixture
def ids(committed):
    lived = live()
    return {**lived.ids(), "extraction": lived.extraction.pk}


@pytest.fixture
def page(shared_browser, ids):
    with browse("ulla", shared_browser) as page:
        yield page


def test_every_page_is_sound(ids, page):
    """No fault that axe-core knows of, nothing wider than the window, no complaint: wide in light, on a phone in dark."""
    for name in PAGES:
        page.goto(f"/company/{name.format(**ids)}")
        assert (name, look(page)) == (name, [])


def test_an_error_leaves_the_fields_in_one_line(page):
    """On a wide screen the controls of one row stand at one height, also where one of them is wrong."""
    page.goto("/company/facts/?since=then")
    expect(page.locator(".field__errors")).to_have_count(1)
    controls = page.locator(".filters__row :is(select, input), .filters__row > .button").all()
    lines = sorted(box["y"] + box["height"] / 2 for box in (one.bounding_box() for one in controls))
    rows = [line for before, line in pairwise([0, *lines]) if line - before > 6]
    assert len(rows) <= 2, lines


def test_a_chain_is_a_list_that_says_which_fact_this_is(ids, page):
    """A screen reader hears an ordered list, the fact looked at as the current one, and moments as times."""
    page.goto(f"/company/facts/{ids['k2']}/")
    items = page.get_by_role("list").filter(has=page.locator(".chain__card")).last.locator("> li")
    expect(items).to_have_count(2)
    expect(items.nth(0)).to_have_attribute("aria-current", "true")
    expect(items.nth(1)).to_contain_text("Switched to K3")
    assert page.locator(".chain time[datetime]").count() >= 3


def test_a_flagged_fact_is_kept_and_undone_by_one_click(ids, page):
    """From the review, by keyboard; the page says what happened."""
    page.goto("/company/review/")
    page.get_by_role("button", name=re.compile("Undo: believe this again ?: Uses K2")).press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Undone")
    expect(page.locator(".chain__link--this")).to_contain_text("Uses K2")
    page.goto("/company/review/")
    expect(page.get_by_role("main")).to_contain_text("Nothing waits for a review")


def test_an_export_is_a_download(ids, page):
    """The button brings a file."""
    page.goto("/company/facts/?state=all")
    with page.expect_download() as started:
        page.get_by_role("button", name="CSV").click()
    assert started.value.suggested_filename == "company-memory.csv"
    with open(started.value.path(), encoding="utf-8-sig") as file:
        assert len(file.read().splitlines()) == 8
