"""The palette in a real browser: by keyboard alone, wide in light and on a phone in dark."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, WINDOWS, browse, look
from tests.chat.talking import converse, remember
from tests.factories import make_access

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]


@pytest.fixture
def page(committed, shared_browser):
    """The account's page of somebody who has talked and is remembered."""
    ada = make_access("ada")
    converse(ada, "Electron pairs")
    converse(ada, "A plan for the week")
    remember(ada, "My aunt Karin lives in Lund.")
    with browse("ada", shared_browser) as page:
        page.goto("/account/")
        yield page


def box(page: Page):
    return page.get_by_role("dialog").get_by_role("combobox")


def marked(page: Page):
    return page.get_by_role("dialog").get_by_role("option", selected=True)


def press(page: Page, keys: str) -> None:
    """Press keys that mean something once the page's scripts have come."""
    page.wait_for_function("() => !document.querySelector('[data-palette-open]').hidden")
    page.keyboard.press(keys)


def find(page: Page, words: str, name: str) -> None:
    """Open the palette, type, go down to a line and open it."""
    press(page, "Control+k")
    expect(box(page)).to_be_focused()
    page.keyboard.type(words)
    line = page.get_by_role("option", name=name).first
    expect(line).to_be_visible()
    for _ in range(page.get_by_role("option").count()):
        if line.get_attribute("aria-selected") == "true":
            break
        page.keyboard.press("ArrowDown")
    expect(line).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")


def test_it_leads_everywhere(page):
    """To a conversation, a message in its place, a memory, a page, and into a new conversation."""
    find(page, "electron pairs", "Electron pairs")
    expect(page.get_by_role("heading", name="Electron pairs")).to_be_visible()
    find(page, "week", "A plan for the week")
    expect(page.get_by_role("heading", name="A plan for the week")).to_be_visible()
    find(page, "karin", "Karin")
    page.wait_for_url("**/memory/*-*/")
    find(page, "histor", "History")
    page.wait_for_url("**/memory/history/")
    find(page, "", "New conversation")
    page.wait_for_url("**/chat/*-*/")


def test_words_and_enter_open_what_is_found_for_them(page):
    """Also where nothing has been found yet when Enter is pressed: a line of other words is never opened."""
    press(page, "Control+k")
    expect(marked(page)).to_have_count(1)
    page.keyboard.type("histor")
    page.keyboard.press("Enter")
    page.wait_for_url("**/memory/history/")


def test_what_the_arrows_chose_stays_marked_when_an_answer_comes_late(page):
    """While the answer to what was typed is on its way, the lines before it are there to be gone through."""
    held = []
    page.route("**q=a", lambda route: held.append(route))
    press(page, "Control+k")
    options = page.get_by_role("dialog").get_by_role("option")
    line = options.filter(has_text="Account").first
    expect(line).to_be_visible()
    with page.expect_request("**q=a"):
        page.keyboard.type("a")
    shown = options.count()
    for _ in range(shown):
        if line.get_attribute("aria-selected") == "true":
            break
        page.keyboard.press("ArrowUp")
    held[0].continue_()
    expect(options).not_to_have_count(shown)
    expect(line).to_have_attribute("aria-selected", "true")
    expect(options.first).to_have_attribute("aria-selected", "false")
    page.keyboard.press("Enter")
    page.wait_for_url("**/account/")


def test_it_is_gone_through_by_keyboard(page):
    """From either end to the other, what is marked in view; Escape closes it, and the same keys do."""
    for size, scheme in WINDOWS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        press(page, "Control+k")
        expect(marked(page)).to_have_count(1)
        first = marked(page).inner_text()
        page.keyboard.press("ArrowUp")
        expect(marked(page)).to_have_text("Log out")
        expect(marked(page)).to_be_in_viewport()
        page.keyboard.press("ArrowDown")
        assert marked(page).inner_text() == first
        page.keyboard.press("Escape")
        expect(box(page)).to_have_count(0)
    press(page, "Control+k")
    expect(marked(page)).to_have_count(1)
    press(page, "Control+k")
    expect(box(page)).to_have_count(0)


def test_the_sheet_of_shortcuts(page):
    """It opens from the palette, and not by a question mark that one writes."""
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    find(page, "", "Keyboard shortcuts")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    page.goto("/chat/")
    page.get_by_role("link", name="Electron pairs").first.click()
    page.get_by_label("Message", exact=True).fill("Why")
    page.get_by_label("Message", exact=True).press("?")
    expect(sheet).to_be_hidden()
    expect(page.get_by_label("Message", exact=True)).to_have_value("Why?")


def test_it_opens_by_hand(page):
    """By a button in the header, and on a phone among the conversations."""
    page.goto("/chat/")
    page.get_by_role("banner").get_by_role("button", name="Find and go").click()
    expect(box(page)).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Electron pairs").first.click()
    page.set_viewport_size(WINDOWS[1][0])
    page.locator(".chat__head").get_by_role("button", name="Conversations").click()
    page.get_by_role("navigation", name="Conversations").get_by_role("button", name="Find and go").click()
    expect(box(page)).to_be_focused()
    assert look(page) == []
