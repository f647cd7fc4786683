"""What is typed survives a reload and another device, wide and on a phone, and leaves nothing behind in the browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, WINDOWS, browse
from tests.factories import make_student
from tests.llm.wire_server import Act

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]

TEXT = "Dear companion, I wanted to tell you"


def box(page: Page):
    return page.get_by_label("Message", exact=True)


def begin(page: Page) -> str:
    page.get_by_role("button", name="New conversation").first.click()
    page.wait_for_url("**/chat/*-*/")
    expect(page.locator("[data-status=ready]")).to_be_attached()
    return page.url


def reload_until(page: Page, text: str) -> None:
    """What is typed is kept once the fingers rest."""
    page.wait_for_timeout(1500)
    page.reload()
    expect(box(page)).to_have_value(text)


def test_a_draft_comes_back_until_it_is_sent(committed, model, shared_browser):
    """In the other window as well; once it was sent the box is empty in both, and nothing lies in the browser's storage."""
    model.always(Act(text="I see."))
    make_student("ada")
    with browse("ada", shared_browser) as page:
        address = begin(page)
        for size, _ in WINDOWS:
            page.set_viewport_size(size)
            box(page).fill(f"{TEXT} {size['width']}")
            reload_until(page, f"{TEXT} {size['width']}")
        other = page.context.new_page()
        other.goto(address)
        expect(box(other)).to_have_value(f"{TEXT} {size['width']}")
        assert "Dear" not in other.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        box(page).press("Enter")
        expect(page.get_by_role("article", name="Companion").last).to_contain_text("I see.")
        for each in (page, other):
            reload_until(each, "")
