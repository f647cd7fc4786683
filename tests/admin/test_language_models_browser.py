"""The page on which a model is connected, in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browsing import IN_A_BROWSER, WINDOWS, browse

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("E5")]


def test_a_server_is_tried_by_keyboard(connected, runs_here, shared_browser):
    """The page has no fault that axe finds, wide or on a phone, and a try is made without a mouse."""
    with browse("root", shared_browser) as page:
        page.goto("/admin/language-models/")
        for size, scheme in WINDOWS:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            assert Axe().run(page, context=".models").response["violations"] == []
            assert page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            )
        page.get_by_role("button", name="Try it Ollama").focus()
        page.keyboard.press("Enter")
        page.get_by_text("tiny:1b answers").wait_for()
        assert page.complaints == []
