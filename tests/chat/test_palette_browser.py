"""The palette in a real browser, beyond the walk: by hand, by keyboard from either end, and to a memory."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, WINDOWS, browse, look
from tests.chat.talking import remember
from tests.chat.test_listing import talk

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]


def press(page: Page, keys: str) -> None:
    """Press keys that mean something once the page's scripts have come."""
    page.wait_for_function("() => !document.querySelector('[data-palette-open]').hidden")
    page.keyboard.press(keys)


def test_it_opens_by_hand_and_is_gone_through_by_keyboard(ada, shared_browser):
    """By a button in the header, and on a phone among the conversations; a question mark in the message box is a question mark."""
    talk(ada, "Electron pairs")
    remember(ada, "My aunt Karin lives in Lund.")
    with browse("ada", shared_browser) as page:
        box = page.get_by_role("dialog").get_by_role("combobox")
        marked = page.get_by_role("dialog").get_by_role("option", selected=True)
        page.goto("/chat/")
        page.get_by_role("banner").get_by_role("button", name="Find and go").click()
        expect(box).to_be_focused()
        expect(marked).to_have_count(1)
        first = marked.inner_text()
        page.keyboard.press("ArrowUp")
        expect(marked).to_have_text("Log out")
        expect(marked).to_be_in_viewport()
        page.keyboard.press("ArrowDown")
        assert marked.inner_text() == first
        press(page, "Control+k")
        expect(box).to_have_count(0)
        page.get_by_role("link", name="Electron pairs").first.click()
        page.get_by_label("Message", exact=True).fill("Why")
        page.get_by_label("Message", exact=True).press("?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()
        expect(page.get_by_label("Message", exact=True)).to_have_value("Why?")
        page.set_viewport_size(WINDOWS[1][0])
        page.locator(".chat__head").get_by_role("button", name="Conversations").click()
        others = page.get_by_role("navigation", name="Conversations")
        others.get_by_role("button", name="Find and go").click()
        expect(box).to_be_focused()
        assert look(page) == []
        page.keyboard.type("karin")
        expect(page.get_by_role("option", name="Karin", selected=True)).to_be_visible()
        page.keyboard.press("Enter")
        page.wait_for_url("**/memory/*-*/")
