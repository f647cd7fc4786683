"""The companion remembers, seen from the browser; under a reply stands what it drew on, with scripts and without."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import (
    articles,
    await_remembered,
    await_reply,
    begin_conversation,
    enter,
    exchange,
    last_reply,
    log_in,
    log_out,
    message_box,
)
from tests.llm.wire_server import Act

TOLD = "I find fractions hard, and pictures of pizza slices help me with fractions"
QUESTION = "Can you help me with fractions?"
PERSONAL = "You told me that pictures of pizza slices help you. Take three of eight slices."
LEVEL = re.compile(r"^(Very personal|Personal) · \d memor(y|ies)$")
#: How personal a reply is, on its badge: here it has memories at hand.
BADGE = re.compile(r"(Mycket personligt|Personligt|Lite personligt|Inte personligt) · \d")


def assert_opens(page: Page, reply: Locator) -> None:
    """The badge says the level; opened, it tells of the memory in the person's words."""
    badge = reply.get_by_text(LEVEL)
    expect(badge).to_be_visible()
    badge.click()
    memory = reply.get_by_role("listitem").filter(has_text="pizza slices help me").first
    for words in ("The reply draws on this.", "quite sure", "Short-term", "Why it was found:"):
        expect(memory).to_contain_text(words)
    expect(memory.get_by_role("link", name=re.compile(r"^You said it, \d+ \w+ \d{4}$"))).to_be_visible()


@pytest.mark.spec("I6", "AC-2.3.5", "AC-2.2.4", "AC-2.3.1")
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


@pytest.mark.spec("C2")
def test_what_was_told_is_there_in_the_next_conversation(page, model):
    """After a log-out too the model is told it, and the reply shows it as a memory used; here in Swedish (in English see test_first_look.py)."""
    told = "Jag tycker rekursion är svårt, förklara gärna steg för steg"
    log_in(page, "elsa")
    begin_conversation(page)
    exchange(page, told)
    await_remembered(page, told)
    log_out(page)
    log_in(page, "elsa")
    begin_conversation(page)
    exchange(page, "kan du hjälpa mig med rekursion?")
    quote = "förklara gärna steg för steg"
    assert "<COMPANION_MEMORY>" in model.told()[-1] and quote in model.told()[-1]
    assert page.locator("html").get_attribute("lang") == "sv"
    reply = articles(page).last
    reply.get_by_text(BADGE).click()
    expect(reply.get_by_text("Varför det hittades:").first).to_be_visible()
    expect(reply.get_by_role("listitem").filter(has_text=quote)).to_be_visible()


def test_nobody_else_sees_any_of_it(page, new_page, watch, student, other_student):
    """Another student's list is empty, a foreign conversation's address leads nowhere, and nothing is recalled.

    The mark under a message that was remembered is there after a reload; under a question there is none.
    """
    secret_place = enter(page, student)
    exchange(page, "I find recursion hard, please explain step by step")
    await_remembered(page, "recursion")
    exchange(page, "What is that?", messages=4)
    page.reload()
    await_remembered(page, "recursion")
    marks = page.get_by_role("log").get_by_text("Remembered", exact=True)
    expect(marks.filter(visible=True)).to_have_count(1)

    stranger = new_page()
    log_in(stranger, other_student)
    expect(stranger.get_by_role("main")).to_contain_text("Nothing said yet")
    expect(stranger.get_by_role("main")).not_to_contain_text("recursion")
    watch.expected_statuses.add(404)
    assert stranger.goto(secret_place).status == 404
    expect(stranger.get_by_role("heading", name="There is nothing here")).to_be_visible()
    begin_conversation(stranger)
    reply = exchange(stranger, "can you help me with recursion?")
    expect(reply).not_to_contain_text(re.compile(r"[Pp]ersonal · \d"))
    expect(reply).not_to_contain_text("step by step")
