"""In a real browser: what was noted appears under the reply and is taken back there; the companion's word begins a turn."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.wishes import change_wishes
from tests.browsing import IN_A_BROWSER, browse, look
from tests.chat.test_initiative import always_morning
from tests.factories import make_access

pytestmark = [*IN_A_BROWSER]


@pytest.fixture
def ada(committed, settings):
    always_morning(settings)
    return make_access()


@pytest.fixture
def page(shared_browser, ada):
    """A conversation of Ada's, open in a browser."""
    with browse("ada", shared_browser) as page:
        page.get_by_role("button", name="New conversation").first.click()
        expect(page.locator("[data-box]")).to_be_visible()
        page.wait_for_load_state()  # what the page's scripts listen for is heard from here on
        yield page


@pytest.mark.spec("L4", "L8")
def test_a_word_is_taken_up_and_what_is_said_is_noted_and_taken_back(ada, page):
    """Without leaving the page; the draft stays; sound for everybody at both widths, light and dark."""
    card = page.locator("[data-initiative]")
    expect(card).to_contain_text("Good morning, Ada")
    assert look(page) == []
    page.fill("[data-box]", "a draft")
    card.get_by_role("button", name="Talk about today").click()
    expect(page.locator(".message--person")).to_contain_text("Good morning! Let us talk about today.")
    expect(page.locator(".message--companion[data-state=complete]")).to_have_count(1)
    expect(card).to_have_count(0)
    expect(page.locator("[data-box]")).to_have_value("a draft")

    page.fill("[data-box]", "I'm grateful for the tea.")
    page.keyboard.press("Enter")
    line = page.locator("[data-noted]")
    expect(line).to_contain_text("In your gratitude journal: I'm grateful for the tea.")
    assert look(page) == []
    line.get_by_role("button", name="Undo").click()
    expect(line).to_contain_text("Taken back.")
    page.reload()
    expect(page.locator(".message--companion")).to_have_count(2)
    expect(line).to_have_count(0)
    with ada.open():
        assert list_notes(ada.space, GRATITUDE) == []


@pytest.mark.spec("L8")
def test_a_card_goes_from_a_page_that_stays_open(ada, page):
    """When it is not wanted any more, or its time is over, and comes back with its time; for good once the person speaks."""
    card = page.locator("[data-initiative]")
    expect(card).to_be_visible()
    card.get_by_role("button", name="Not now").focus()
    for is_on in (False, True):
        with ada.open():
            change_wishes(ada.space, now=timezone.now(), initiative_on=is_on)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(card).to_have_count(int(is_on))
        expect(page.locator("[data-box]")).to_be_focused()
    page.fill("[data-box]", "I have a maths test on Friday")
    page.keyboard.press("Enter")
    expect(card).to_have_count(0)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".message--companion[data-state=complete]")).to_have_count(1)
    expect(card).to_have_count(0)
