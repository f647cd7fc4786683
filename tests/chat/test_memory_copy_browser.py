"""In a real browser: one's memory is saved from its page, and the file taken in again; sound in both languages."""

import pytest
from playwright.sync_api import expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.chat.talking import remember
from tests.factories import make_access

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]

WORDS = {
    "en": ("Take your memory along", "Save to take in again", "The file", "Take it in", "0 entries are new"),
    "sv": (
        "Ta med dig ditt minne",
        "Spara för att hämta in igen",
        "Filen",
        "Läs in",
        "0 poster är nya",
    ),
}


@pytest.mark.parametrize("language", WORDS)
def test_a_memory_is_saved_and_taken_in(committed, shared_browser, tmp_path, language):
    """A file that is none is refused beside the form; the saved one brings nothing twice."""
    along, save, file, take, said = WORDS[language]
    remember(make_access("ada", language=language), "I live in Lund with my aunt Karin.")
    with browse("ada", shared_browser) as page:
        page.goto("/memory/")
        page.get_by_role("link", name=along).click()
        assert look(page) == []
        with page.expect_download() as saved:
            page.get_by_role("link", name=save).click()
        saved.value.save_as(tmp_path / "memory.json")
        (tmp_path / "other.json").write_text("{}")
        page.get_by_label(file).set_input_files(tmp_path / "other.json")
        page.get_by_role("button", name=take).click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.complaints.clear()  # of the refusal's status
        assert look(page) == []
        page.get_by_label(file).set_input_files(tmp_path / "memory.json")
        page.get_by_role("button", name=take).click()
        expect(page.get_by_text(said)).to_be_visible()
        assert look(page) == []
