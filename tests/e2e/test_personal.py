"""Personal replies, seen from the browser: the badge and what it opens to, with scripts and without."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import (
    await_remembered,
    await_reply,
    begin_conversation,
    enter,
    exchange,
    last_reply,
    message_box,
)
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("I6", "AC-2.3.5")

TOLD = "I find fractions hard, and pictures of pizza slices help me with fractions"
QUESTION = "Can you help me with fractions?"
PERSONAL = "You told me that pictures of pizza slices help you. Take three of eight slices."
LEVEL = re.compile(r"^(Very personal|Personal) · \d memor(y|ies)$")


def assert_opens(page: Page, reply: Locator) -> None:
    """The badge says the level; opened, it tells of the memory in the person's words."""
    badge = reply.get_by_text(LEVEL)
    expect(badge).to_be_visible()
    badge.click()
    memory = reply.get_by_role("listitem").filter(has_text="pizza slices help me").first
    expect(memory).to_be_visible()
    expect(memory).to_contain_text("The reply draws on this.")
    expect(memory).to_contain_text("quite sure")
    expect(memory).to_contain_text("Short-term")
    expect(memory).to_contain_text("Why it was found:")
    expect(memory.get_by_role("link", name=re.compile(r"^You said it, \d+ \w+ \d{4}$"))).to_be_visible()


@pytest.mark.spec("AC-2.2.4", "AC-2.3.1")
def test_a_reply_that_has_just_streamed_shows_what_it_stood_on(page, new_page, model, student):
    """At its end, without a reload; and the same after one. The way back to what was said leads there.

    Without scripts the reply is there when the page comes back, with the same badge.
    """
    enter(page, student)
    exchange(page, TOLD)
    await_remembered(page, "pizza")
    begin_conversation(page)
    model.script(Act(text=PERSONAL))
    assert_opens(page, exchange(page, QUESTION))
    page.reload()
    assert_opens(page, last_reply(page))
    last_reply(page).get_by_role("link", name=re.compile("^You said it")).first.click()
    said = page.get_by_role("log").locator(".message__text--plain", has_text=TOLD)
    expect(said).to_be_in_viewport()

    plain = new_page(java_script_enabled=False)
    enter(plain, student)
    model.script(Act(text=PERSONAL))
    message_box(plain).fill(QUESTION)
    plain.get_by_role("button", name="Send", exact=True).click()
    assert_opens(plain, await_reply(plain, messages=2))
