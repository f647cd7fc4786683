"""The welcome in a real browser: by keyboard, on a phone, and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.factories import make_student

WINDOWS = ({"width": 390, "height": 800}, {"width": 1280, "height": 850})

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("E5")]


def test_a_student_is_welcomed_by_keyboard(committed, shared_browser):
    """Three steps with nothing but keys, each sound in both windows; the first memories lead to where they stand."""
    make_student("nora", welcomed_at=None)
    with browse("nora", shared_browser) as page:
        page.wait_for_url("**/chat/welcome/")
        assert look(page) == []
        page.get_by_role("main").get_by_role("button", name="English").press("Enter")
        name = page.get_by_label("What should I call you?")
        expect(name).to_have_value("Nora")
        assert look(page) == []
        name.fill("Noppe")
        name.press("Enter")
        expect(page.get_by_role("heading", name="How do you like to be helped?")).to_be_visible()
        assert look(page) == []
        page.get_by_label("Step by step").press("Space")
        page.get_by_role("button", name="Tell my companion").press("Enter")
        expect(page.get_by_role("heading", name="These are your first memories")).to_be_visible()
        assert look(page) == []
        page.get_by_role("link", name="My name is Noppe.").press("Enter")
        expect(page.get_by_role("main")).to_contain_text("My name is Noppe.")
        page.go_back()
        page.get_by_role("link", name="Go on talking").press("Enter")
        expect(page.get_by_role("log").get_by_role("article")).to_have_count(2)
        page.goto("/")
        expect(page).to_have_url(re.compile("/chat/$"))


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: str(window["width"]))
def test_it_works_without_scripts(committed, shared_browser, window):
    """In Swedish, at the width of a phone and of a desk; what was chosen is what is told."""
    make_student("nora", welcomed_at=None)
    with browse("nora", shared_browser, java_script_enabled=False, viewport=window) as page:
        page.get_by_role("main").get_by_role("button", name="Svenska").click()
        page.get_by_label("Vad ska jag kalla dig?").fill("Noppe")
        page.get_by_role("button", name="Fortsätt").click()
        page.get_by_label("Med få ord").check()
        page.get_by_role("button", name="Berätta för min kompanjon").click()
        expect(page.get_by_role("link", name="Jag heter Noppe.")).to_be_visible()
        expect(page.get_by_role("link", name="Svara gärna kort.")).to_be_visible()
