"""Messages in a real browser: drawn while they come, and copied as text, with their signs, and code by itself."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.factories import make_student
from tests.llm.wire_server import Act

REPLY = """# Halves

Half is $\\frac{1}{2}$, so **two** of them are one.

- [x] read
- [ ] write

```python
print("hello")
```

| a | b |
| --- | --- |
| 1 | 2 |
"""

pytestmark = [*IN_A_BROWSER]


@pytest.fixture
def page(committed, model, shared_browser):
    """A conversation that has just begun."""
    make_student("ada")
    with browse("ada", shared_browser) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="New conversation").first.click()
        page.wait_for_url("**/chat/*-*/")
        yield page


def say(page: Page, text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")


def reply(page: Page):
    return page.get_by_role("log").get_by_role("article", name="Companion").last


def copied(page: Page) -> str:
    return page.evaluate("navigator.clipboard.readText()")


def test_a_reply_is_drawn_while_it_comes_and_is_copied(page, model):
    """Headings, formulas and code stand there before the end; each way to copy gives what its name says, by keyboard too."""
    model.always(Act(text=REPLY + "\n\nword" * 12, delay_s=0.15))
    say(page, "What is a half?")
    streaming = page.locator("article[aria-busy]")
    expect(streaming.get_by_role("heading", name="Halves")).to_be_visible()
    expect(streaming.locator("mfrac")).to_be_visible()
    expect(streaming.locator("pre")).to_contain_text('print("hello")')
    expect(reply(page)).not_to_have_attribute("aria-busy", "true")
    expect(reply(page).locator("mfrac")).to_have_count(1)

    reply(page).get_by_role("button", name="Copy as Markdown").press("Enter")
    expect(page.get_by_text("Copied")).to_be_visible()
    assert copied(page).startswith(REPLY)
    reply(page).get_by_role("button", name="Copy", exact=True).press("Enter")
    page.wait_for_function("async () => !(await navigator.clipboard.readText()).includes('#')")
    text = copied(page)
    assert text.startswith("Halves") and "☑ read" in text and "**" not in text and "Copy the code" not in text
    reply(page).get_by_role("button", name="Copy the code").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) === 'print(\"hello\")'")
    page.get_by_role("article", name="You").get_by_role("button", name="Copy").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) === 'What is a half?'")
    assert look(page) == []


def test_the_last_reply_is_written_again(page, model):
    """Another try takes the place of the last reply, and stays after a reload; of those before it none can be tried."""
    model.always(Act(text="The first try."))
    say(page, "Hello")
    expect(reply(page).get_by_text("The first try.")).to_be_visible()
    model.always(Act(text="The second try."))
    reply(page).get_by_role("button", name="Write again").click()
    expect(reply(page).get_by_text("The second try.")).to_be_visible()
    expect(page.get_by_text("The first try.")).to_have_count(0)
    page.reload()
    expect(reply(page).get_by_text("The second try.")).to_be_visible()
    say(page, "Go on")
    expect(page.get_by_role("log").get_by_role("article", name="Companion")).to_have_count(2)
    expect(reply(page)).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("button", name="Write again")).to_have_count(1)


def test_the_clipboard_may_be_refused(page, model):
    """Then the page says so, and what to do instead."""
    model.always(Act(text="All right."))
    say(page, "Hello")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    reply(page).get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("could not be copied")).to_be_visible()
