"""The pages for everybody: by ear, by keyboard, on a phone, in light and dark."""

import re

from playwright.sync_api import Page, expect

from tests.browsing import WINDOWS, faults, overhang
from tests.e2e.pages import (
    OPEN_PAGES,
    OWN_PAGES,
    articles,
    await_remembered,
    begin_conversation,
    enter,
    exchange,
)
from tests.e2e.people import PASSWORD
from tests.llm.wire_server import Act

LONG_REPLY = """A word that is far too long: Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft

| one | two | three | four | five | six |
| --- | --- | --- | --- | --- | --- |
| a longer cell | a longer cell | a longer cell | a longer cell | a longer cell | a longer cell |

```python
def a_function_with_a_long_name(first_argument, second_argument, third_argument, fourth_argument): ...
```
"""


def assert_sound(page: Page) -> None:
    """Look at the page in every window."""
    for size, scheme in WINDOWS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert (page.url, faults(page), overhang(page)) == (page.url, [], 0)


def test_every_page_is_sound(page, model, student, watch):
    """No page has a fault that axe-core knows of, and none is wider than its window: wide, light; on a phone, dark."""
    watch.expected_statuses.add(404)
    for path in OPEN_PAGES:
        page.goto(path)
        assert_sound(page)
    enter(page, student)
    assert_sound(page)
    exchange(page, "I find recursion hard, please explain step by step")
    await_remembered(page, "recursion")
    for path in OWN_PAGES:
        page.goto(path)
        assert_sound(page)
    begin_conversation(page)
    model.script(Act(text=LONG_REPLY))
    reply = exchange(page, "can you help me with recursion?")
    reply.get_by_text(re.compile("ersonal · ")).click()
    expect(reply.get_by_role("listitem").first).to_be_visible()
    assert_sound(page)


def test_a_keyboard_is_enough(page, model, student):
    """Log in, begin a conversation, send, break a line, stop, try again and log out without a pointer; a mark shows where one is."""
    page.goto("/login/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    for text in (student, PASSWORD):
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/chat/$"))
    press_by_keyboard(page, "button", "New conversation")
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    assert_focus_is_shown(page)
    page.get_by_role("textbox", name="Message").focus()

    model.script(Act(text=" ".join(["word"] * 40), delay_s=0.2))
    page.keyboard.type("First line")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Second line")
    page.keyboard.press("Enter")
    expect(articles(page).first.locator("[data-text]")).to_have_text("First line\nSecond line")
    expect(articles(page).last).to_contain_text("word word")
    page.keyboard.press("Escape")
    expect(articles(page).last).to_contain_text("You stopped this reply.")
    press_by_keyboard(page, "button", "Log out")
    expect(page).to_have_url(re.compile("/login/$"))


def assert_focus_is_shown(page: Page) -> None:
    """Everything that takes the focus on a conversation page shows it, and is reached in the order it is read in."""
    page.get_by_role("link", name="Skip to content").focus()
    names = []
    # in the morning and in the evening the companion asks first, with two buttons of its own
    for _ in range(40):
        page.keyboard.press("Tab")
        names.append(
            page.evaluate("document.activeElement.textContent.trim() || document.activeElement.name")
        )
        shown = page.evaluate(
            "(() => { const own = getComputedStyle(document.activeElement), "
            "around = getComputedStyle(document.activeElement.closest('form, .composer') ?? document.body); "
            "return own.outlineStyle !== 'none' || around.outlineStyle !== 'none'; })()"
        )
        assert shown, names[-1]
        if names[-1] == "Send":
            break
    assert names[0] == "Companion" and names[-1] == "Send", " | ".join(names)


def press_by_keyboard(page: Page, role: str, name: str) -> None:
    """Reach a control by the Tab key and press it."""
    target = page.get_by_role(role, name=name).first
    for _ in range(30):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{name} is not reached by the keyboard")
