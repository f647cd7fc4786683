"""The last message changed, and its versions gone through, by keyboard, wide and on a phone, in every open tab."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, WINDOWS, browse, look
from tests.factories import make_student
from tests.llm.wire_server import Act

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]


@pytest.fixture
def page(committed, model, shared_browser):
    """A conversation that has just begun."""
    model.always(Act(text="I see."))
    make_student("ada")
    with browse("ada", shared_browser) as page:
        page.get_by_role("button", name="New conversation").first.click()
        page.wait_for_url("**/chat/*-*/")
        yield page


def said(page: Page):
    return page.get_by_role("log").get_by_role("article", name="You")


def replies(page: Page):
    return page.get_by_role("log").get_by_role("article", name="Companion")


def say(page: Page, text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")
    expect(said(page).last).to_contain_text(text)
    expect(replies(page).last).to_contain_text("I see.")
    expect(page.locator("article[aria-busy]")).to_have_count(0)


def change(page: Page, text: str) -> None:
    """Change the last message by keyboard."""
    said(page).last.get_by_role("link", name="Change").press("Enter")
    expect(page.get_by_text("You are changing your last message.")).to_be_visible()
    say(page, text)
    expect(page.get_by_text("You are changing your last message.")).to_have_count(0)


def test_the_last_message_is_changed_and_had_back(page):
    """It is answered anew in its place; the arrows beside "1 / 2" lead to each version and keep the focus, in the other tab too."""
    say(page, "First")
    say(page, "Second")
    expect(page.get_by_role("link", name="Change")).to_have_count(1)
    other = page.context.new_page()
    other.goto(page.url)
    for number, (size, scheme) in enumerate(WINDOWS, start=1):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        change(page, f"Changed {number}")
        expect(said(page)).to_have_count(2)
        expect(replies(page)).to_have_count(2)
        expect(said(page).last).to_contain_text(f"{number + 1} / {number + 1}")
        expect(said(other).last).to_contain_text(f"Changed {number}")
        expect(said(other)).to_have_count(2)
    page.get_by_role("button", name="The version before").press("Enter")
    expect(said(page).last).to_contain_text("Changed 1")
    expect(page.get_by_role("button", name="The version before")).to_be_focused()
    page.keyboard.press("Enter")
    expect(said(page).last).to_contain_text("1 / 3")
    expect(said(page).last).to_contain_text("Second")
    expect(said(other).last).to_contain_text("Second")
    expect(page.get_by_role("button", name="The version after")).to_be_focused()
    assert look(page) == []
    say(page, "Third")
    expect(replies(page)).to_have_count(3)
    expect(page.locator("article[aria-busy]")).to_have_count(0)
    page.reload()
    expect(said(page)).to_have_count(3)
