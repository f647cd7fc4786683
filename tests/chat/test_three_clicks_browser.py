"""What does it know about me; correct one thing; delete that chat: three clicks each, in both languages, wide and on a phone."""

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests.browsing import IN_A_BROWSER, WINDOWS, browse, look
from tests.chat.talking import converse, message_at
from tests.factories import make_access
from tests.memory.student.pages.conftest import remember

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2", "G13", "E5")]
WORDS = {
    "en": ("Memory", "This is wrong", "How it really is", "Put it right", "Forget this", "Undo", "Conversations", "Delete"),
    "sv": ("Minne", "Det här är fel", "Hur det egentligen är", "Rätta det", "Glöm det här", "Ångra", "Konversationer", "Ta bort"),
}  # fmt: skip
SAID = "I live in Lund with my brother Noah."


class Clicks:
    """A person who counts what they press."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, what: Locator) -> None:
        self.count += 1
        what.click()


@pytest.fixture
def page(committed, shared_browser):
    """The conversation in which somebody has told something that is remembered."""
    ada = make_access("ada")
    row = converse(ada, SAID)
    said = message_at(ada, row)
    remember(ada, SAID, at=timezone.now(), conversation_id=row.pk, source_id=said.pk)
    with browse("ada", shared_browser) as page:
        page.goto(f"/chat/{row.pk}/")
        yield page


def speak(page: Page, language: str) -> tuple[str, ...]:
    """Have the page in a language; return its words."""
    if language == "sv":
        page.get_by_role("button", name="Svenska").click()
        page.wait_for_load_state()
    return WORDS[language]


@pytest.mark.parametrize("language", ["en", "sv"])
@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_three_clicks_each(page, language, size, scheme):
    """From the conversation: what is known, put right; forgotten and had back; and the conversation deleted from where it was said."""
    memory, wrong, really, right, forget, undo, conversations, delete = speak(page, language)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)

    correcting = Clicks(page)
    correcting.press(page.get_by_role("banner").get_by_role("link", name=memory, exact=True))
    fact = page.get_by_role("listitem").filter(has_text=SAID).filter(has=page.get_by_text(wrong))
    expect(page.get_by_role("heading", name="Noah")).to_be_visible()
    expect(fact.first).to_be_visible()  # what does it know about me: one click
    correcting.press(fact.first.get_by_text(wrong))
    fact.first.get_by_label(really).fill("I live in Malmö with my brother Noah.")
    assert look(page) == []
    page.set_viewport_size(size)
    correcting.press(fact.first.get_by_role("button", name=right))
    expect(page.get_by_role("link", name="I live in Malmö with my brother Noah.").first).to_be_visible()
    assert correcting.count == 3

    forgetting = Clicks(page)
    forgetting.press(page.get_by_role("button", name=forget).first)
    forgetting.press(page.get_by_role("status").get_by_role("button", name=undo))
    expect(page.get_by_role("button", name=forget).first).to_be_visible()
    assert forgetting.count == 2

    deleting = Clicks(page)
    deleting.press(page.get_by_role("banner").get_by_role("link", name=conversations, exact=True))
    deleting.press(page.locator(".conversations summary").first)
    deleting.press(page.locator("details[open]").get_by_role("button", name=delete, exact=True))
    expect(page.get_by_role("main").get_by_role("link", name=SAID)).to_have_count(0)
    assert deleting.count == 3
