"""The page on which a model is connected, in a real browser."""

import pytest

from tests.browsing import IN_A_BROWSER, browse, look

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("E5")]


def test_a_server_is_tried_by_keyboard(connected, runs_here, shared_browser):
    """The page has no fault that axe finds, wide or on a phone, and a try is made without a mouse."""
    with browse("root", shared_browser) as page:
        page.goto("/admin/language-models/")
        assert look(page, within=".models") == []
        page.get_by_role("button", name="Try it Ollama").focus()
        page.keyboard.press("Enter")
        page.get_by_text("tiny:1b answers").wait_for()
        assert page.complaints == []
