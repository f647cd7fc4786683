"""In a real browser: what was remembered appears under its message and is put right there in three clicks."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from chat.memories.formation import form_all_awaiting
from tests.browsing import IN_A_BROWSER, browse, look
from tests.factories import make_access

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]

SAID = {
    "en": ("I live in Lund with my aunt Karin.", "Message", "Put it right", "Undo", "Forget"),
    "sv": ("Jag bor i Lund med min moster Karin.", "Meddelande", "Rätta det", "Ångra", "Glöm"),
}


@pytest.mark.parametrize("language", SAID)
def test_one_thing_is_put_right_in_three_clicks(committed, shared_browser, language):
    """Correct, write, put it right: with the old words and their undo beside it; all sound, and by keyboard too."""
    text, box, put_right, undo, forget = SAID[language]
    ada = make_access("ada", language=language)
    with browse("ada", shared_browser) as page:
        page.locator("form[action$='/new/'] button").first.click()
        page.wait_for_url("**/chat/*-*/")
        page.wait_for_load_state()
        page.get_by_label(box, exact=True).fill(text)
        page.keyboard.press("Enter")
        kept = page.locator("[data-remembered]")
        expect(page.locator("[data-state=complete].message--companion")).to_have_count(1)
        form_all_awaiting(ada.space, key=ada.key, now=timezone.now())
        expect(kept.locator(".kept__words")).to_have_text(text)
        kept.locator("summary").click()
        assert look(page) == []
        kept.get_by_role("textbox").fill(text.replace("Lund", "Malmö"))
        kept.get_by_role("button", name=put_right).click()
        expect(kept.locator(".kept__words")).to_have_text(text.replace("Lund", "Malmö"))
        expect(kept).to_contain_text(text)
        expect(kept).to_be_focused()
        assert look(page) == []
        kept.get_by_role("button", name=undo).press("Enter")
        expect(kept.locator(".kept__words")).to_have_text(text)
        kept.get_by_role("button", name=forget).press("Enter")
        expect(kept.locator(".kept__words")).to_have_count(0)
        page.reload()
        expect(kept.locator("s").first).to_be_visible()
        assert look(page) == []
