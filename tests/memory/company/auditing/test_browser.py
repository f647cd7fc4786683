"""The auditor's pages in a real browser: sound for everybody, used by keyboard and without scripts."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from tests.browsing import CHROMIUM, IN_A_BROWSER
from tests.factories import PASSWORD
from tests.live import Served
from tests.memory.company.auditing.rows import live

ARGS = ["--no-sandbox", "--disable-background-networking"]
WINDOWS = ({"width": 1280, "height": 850}, "light"), ({"width": 375, "height": 740}, "dark")
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
def page(ids, monkeypatch):
    """A browser in which the auditor has logged in, with a list of what the console complains of."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # the browser's driver runs a loop in this thread
    with Served().running() as site, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        page = browser.new_context(base_url=f"http://{site.address}", reduced_motion="reduce").new_page()
        page.complaints = []
        page.on("console", lambda message: note(page, message))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto("/login/")
        page.get_by_role("main").get_by_role("textbox").first.fill("ulla")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda address: "/login/" not in address)
        yield page
        browser.close()


def note(page, message):
    if message.type in ("error", "warning") and "400 (Bad Request)" not in message.text:
        page.complaints.append(message.text)


def faults(page):
    found = Axe().run(page).response["violations"]
    return [f"{fault['id']}: {node['target']}" for fault in found for node in fault["nodes"]]


def test_every_page_is_sound(ids, page):
    """No fault that axe-core knows of, nothing wider than the window, no complaint: wide in light, on a phone in dark."""
    for name in PAGES:
        page.goto(f"/company/{name.format(**ids)}")
        for size, scheme in WINDOWS:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            wide = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert (name, faults(page), wide, page.complaints) == (name, [], 0, [])


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
