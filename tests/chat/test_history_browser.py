"""A long conversation in a real browser: what is found there is read in its place, and the newest is a press away."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, browse
from tests.chat.test_history import fill, message_at
from tests.factories import make_access
from tests.llm.wire_server import Act

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]


@pytest.fixture
def talked(committed):
    """Ada, and what she has talked about for years."""
    ada = make_access("ada")
    return ada, fill(ada, 5000)


def articles(page: Page):
    return page.locator("[data-articles] > article")


def test_a_hit_is_read_in_its_place(talked, model, shared_browser):
    """Later messages come by scrolling down; what is said meanwhile stands at the end; the button leads to the newest."""
    ada, row = talked
    model.always(Act(text="I see."))
    hit = message_at(ada, row, 2001)
    with browse("ada", shared_browser) as page:
        page.goto(f"/chat/messages/{hit.pk}/")
        expect(page.locator(f"#message-{hit.pk}")).to_be_in_viewport()
        page.get_by_label("Message", exact=True).fill("And today?")
        page.keyboard.press("Enter")
        expect(articles(page).last).to_contain_text("I see.")
        page.reload()
        expect(page.locator(f"#message-{hit.pk}")).to_be_in_viewport()
        page.get_by_role("button", name="Jump to latest").click()
        expect(articles(page).last).to_contain_text("I see.")
        expect(articles(page).last).to_be_in_viewport()
