"""Bringing a history along in a real browser: in pieces, looked at, kept, removed; nothing is wrong with any of its pages."""

import pytest
from playwright.sync_api import expect

from bench.exports import write_export
from chat.imports import uploads
from tests.browsing import IN_A_BROWSER, browse, look
from tests.chat.imports.importing import run_all
from tests.factories import make_student

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]


def test_a_history_is_brought_along(committed, shared_browser, tmp_path, monkeypatch):
    """From the list of conversations to what is remembered, and away again with one click."""
    monkeypatch.setattr(uploads, "PIECE_BYTES", 20_000)
    make_student("ada")
    export = write_export(tmp_path / "conversations.json", conversations=12, messages=72)
    assert export.stat().st_size > 3 * uploads.PIECE_BYTES
    with browse("ada", shared_browser) as page:
        page.get_by_role("link", name="Bring your history from another chat").click()
        assert look(page) == []
        page.get_by_label("Your export").set_input_files(export)
        page.get_by_role("button", name="Look what is in it").click()
        expect(page.get_by_role("heading", name="Your file is being read")).to_be_visible()
        assert look(page) == []
        run_all()
        expect(page.get_by_text("72, of which 36 are yours")).to_be_visible()
        assert look(page) == []
        page.get_by_role("button", name="Keep it").click()
        expect(page.get_by_role("heading", name="being kept")).to_be_visible()
        run_all()
        expect(page.get_by_role("button", name="Remove all of it")).to_be_visible()
        expect(page.locator("[data-progress]")).to_have_count(0)
        assert look(page) == []
        page.goto("/chat/")
        expect(page.locator(".conversations--kept > li")).to_have_count(12)
        page.goto("/chat/imports/")
        assert look(page) == []
        page.get_by_role("main").get_by_role("list").last.get_by_role("link").click()
        page.get_by_role("button", name="Remove all of it").click()
        run_all()
        expect(page.get_by_role("button", name="Have it back")).to_be_visible()
        assert look(page) == []


def test_a_bad_upload_says_why(committed, shared_browser, tmp_path):
    """At once, beside the field, and the file can be chosen again."""
    make_student("ada")
    empty = tmp_path / "conversations.json"
    empty.write_text("")
    with browse("ada", shared_browser) as page:
        page.goto("/chat/imports/")
        page.get_by_label("Your export").set_input_files(empty)
        page.get_by_role("button", name="Look what is in it").click()
        expect(page.get_by_role("alert")).to_contain_text("Choose one file")
        expect(page.get_by_role("button", name="Look what is in it")).to_be_enabled()
        assert look(page) == []
