"""The menu beside a conversation in a real browser, with scripts and without, wide and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.factories import make_student
from tests.llm.wire_server import Act

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]


@pytest.fixture
def page(committed, model, shared_browser):
    """The list of somebody who has said three things, each in a conversation of its own."""
    model.always(Act(text="I see."))
    make_student("ada")
    with browse("ada", shared_browser) as page:
        for text in ("Electron pairs", "A plan for the week", "Photosynthesis"):
            page.goto("/chat/")
            page.get_by_role("button", name="New conversation").first.click()
            page.wait_for_url("**/chat/*-*/")
            page.get_by_label("Message", exact=True).fill(text)
            page.keyboard.press("Enter")
            expect(page.get_by_role("log").get_by_role("article", name="Companion").last).to_contain_text(
                "I see."
            )
        page.goto("/chat/")
        yield page


def menu(page: Page, title: str):
    """Open the menu beside a conversation by keyboard; return it."""
    summary = page.locator("summary", has_text=f"Menu of “{title}”")
    summary.focus()
    page.keyboard.press("Enter")
    return page.locator("details[open] form")


def names(page: Page) -> list[str]:
    return page.locator(".conversations .conversation-link__title").all_inner_texts()


def test_a_conversation_is_kept_by_its_menu(page):
    """By keyboard from the list, then over what was said; nothing is wrong with either page while the menu is open."""
    menu(page, "Electron pairs").get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_text("stands first")).to_be_visible()
    assert "Electron pairs" in names(page)[0]
    menu(page, "A plan for the week")
    assert look(page) == []
    page.get_by_role("link", name="Photosynthesis").click()
    opened = menu(page, "Photosynthesis")
    expect(opened).to_be_visible()
    assert look(page) == []
    opened.get_by_label("Name").fill("Green leaves")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Green leaves")).to_be_visible()
    menu(page, "Green leaves").get_by_role("button", name="Put into the archive").click()
    expect(page.get_by_text("This conversation is in your archive.")).to_be_visible()
    page.goto("/chat/archive/")
    assert names(page) == ["Green leaves"] and look(page) == []


def test_a_conversation_is_deleted_and_had_back(page):
    """The page says so, with the way back beside it and, later, among the deleted."""
    for place in ("/chat/", "/chat/archive/"):
        page.goto("/chat/")
        menu(page, "Electron pairs").get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Deleted.", exact=True)).to_be_visible()
        assert "Electron pairs" not in names(page) and look(page) == []
        if place == "/chat/":
            page.get_by_role("button", name="Undo").click()
        else:
            page.goto(place)
            assert look(page) == []
            page.get_by_role("button", name="Have it back").click()
        expect(page.get_by_text("It is back")).to_be_visible()
        page.goto("/chat/")
        assert "Electron pairs" in names(page)


def test_that_chat_goes_with_what_it_remembered_in_three_clicks(page):
    """The menu, "and forget", "Delete"; off until one says so, and undone together."""
    form = menu(page, "Photosynthesis")
    choice = form.get_by_role("checkbox")
    expect(choice).not_to_be_checked()
    choice.check()
    form.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("undoing this brings both back")).to_be_visible()
    assert "Photosynthesis" not in names(page) and look(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is back")).to_be_visible()
    assert "Photosynthesis" in names(page)


def test_a_conversation_is_saved_as_a_file(page):
    """From the site as it is served, in both forms."""
    opened = menu(page, "Electron pairs")
    for link, ending in (("Save as Markdown", "md"), ("Save as JSON", "json")):
        with page.expect_download() as saved:
            opened.get_by_role("link", name=link).click()
        assert saved.value.suggested_filename.startswith("electron-pairs-")
        assert saved.value.suggested_filename.endswith(f".{ending}")
        text = saved.value.path().read_text()
        assert text.count("Electron pairs") >= 2 and "I see." in text


def test_on_a_phone_the_conversations_open_over_the_page(page):
    """By a button beside the title, closed by Escape; where there is room they stand beside what is said, without one."""
    page.get_by_role("link", name="Photosynthesis").click()
    others = page.get_by_role("navigation", name="Conversations")
    button = page.locator(".chat__head").get_by_role("button", name="Conversations")
    expect(others.get_by_role("link", name="Electron pairs")).to_be_visible()
    expect(button).to_be_hidden()
    page.set_viewport_size({"width": 375, "height": 740})
    expect(others).to_be_hidden()
    button.click()
    expect(others.get_by_role("link", name="Electron pairs")).to_be_visible()
    assert look(page) == []
    page.keyboard.press("Escape")
    expect(others).to_be_hidden()
    button.click()
    others.get_by_role("link", name="Electron pairs").click()
    expect(page.get_by_role("heading", name="Electron pairs")).to_be_visible()
    expect(others).to_be_hidden()
