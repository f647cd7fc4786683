"""The interface in English and Swedish: whole, and in the language of whoever is there."""

import re
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po
from playwright.sync_api import Page, expect

from companion_site.running import PROJECT
from tests.e2e.pages import OPEN_PAGES, OWN_PAGES, begin_conversation, fill_log_in, log_in, log_out
from tests.e2e.people import PASSWORD

SWEDISH = PROJECT / "locale" / "sv" / "LC_MESSAGES" / "django.po"
#: A phrase of English is more than a word that both languages may share.
PHRASE = re.compile(r"^[^%{<]*\w [^%{<]*\w [^%{<]*$")


def read_catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale="sv")


def forms(message: Message) -> list[tuple[str, str]]:
    """Return the (English, translated) pairs of a message; one that counts has two."""
    if isinstance(message.id, str):
        return [(message.id, message.string)]
    return list(zip(message.id, message.string, strict=True))


def phrases() -> list[str]:
    """Return the phrases that read otherwise in Swedish."""
    pairs = [pair for message in read_catalogue(SWEDISH) if message.id for pair in forms(message)]
    return [english for english, translated in pairs if PHRASE.match(english) and english != translated]


def found_in(page: Page, phrases: list[str]) -> list[str]:
    content = page.content()
    return [phrase for phrase in phrases if phrase in content]


def test_no_page_mixes_languages(new_page, student, watch):
    """A Swedish student meets no English sentence: not on a page, in a label, or in the words that scripts show."""
    watch.expected_statuses.add(404)
    page = new_page(locale="sv-SE")
    english = phrases()
    for path in OPEN_PAGES:
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == "sv"
        assert found_in(page, english) == [], path
    log_in(page, student)
    page.get_by_role("button", name="Svenska").click()
    for path in OWN_PAGES:
        page.goto(path)
        assert found_in(page, english) == [], path
    begin_conversation(page)
    assert page.locator("html").get_attribute("lang") == "sv"
    assert found_in(page, english) == []


def expect_heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(words)


def test_the_browser_decides_before_log_in_and_the_person_after(new_page, student):
    """A log-in page follows Accept-Language, or what is chosen at the door; behind it the profile holds, until the person chooses otherwise.

    Neither is left to the next person at this browser, and where a form was answered the choice leads to a page that can be shown.
    """
    page = new_page(locale="sv-SE")
    page.goto("/login/")
    expect_heading(page, "Logga in")
    fill_log_in(page, student, PASSWORD)
    expect_heading(page, "Conversations")
    log_out(page)

    page = new_page()
    page.goto("/login/")
    page.get_by_role("button", name="Svenska").click()
    expect_heading(page, "Logga in")
    fill_log_in(page, student, PASSWORD)
    expect_heading(page, "Conversations")
    log_out(page)
    expect_heading(page, "Log in")

    log_in(page, student)
    page.goto("/account/")
    page.get_by_role("button", name="Make a new recovery code").click()
    expect_heading(page, "Your recovery code")
    page.get_by_role("button", name="Svenska").click()
    expect_heading(page, "Konversationer")
    elsewhere = new_page()
    log_in(elsewhere, student)
    expect_heading(elsewhere, "Konversationer")
