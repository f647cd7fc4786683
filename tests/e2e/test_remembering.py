"""The companion remembers, seen from the browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import (
    articles,
    await_remembered,
    begin_conversation,
    enter,
    exchange,
    log_in,
    log_out,
)

ENGLISH = ("ada", "I find recursion hard, please explain step by step", "can you help me with recursion?")
SWEDISH = (
    "elsa",
    "Jag tycker rekursion är svårt, förklara gärna steg för steg",
    "kan du hjälpa mig med rekursion?",
)
#: How personal a reply is, on its badge: here it has memories at hand.
BADGE = {
    "en": re.compile(r"(Very personal|Personal|Slightly personal|Not personal) · \d"),
    "sv": re.compile(r"(Mycket personligt|Personligt|Lite personligt|Inte personligt) · \d"),
}
WHY = {"en": "Why it was found:", "sv": "Varför det hittades:"}
QUOTE = {"en": "please explain step by step", "sv": "förklara gärna steg för steg"}


def tell_then_ask(page: Page, name: str, told: str, asked: str) -> None:
    """Tell a preference, log out, come back, and ask for help in a new conversation."""
    log_in(page, name)
    begin_conversation(page)
    exchange(page, told)
    await_remembered(page, told)
    log_out(page)
    log_in(page, name)
    begin_conversation(page)
    exchange(page, asked)


@pytest.mark.spec("C2")
@pytest.mark.parametrize(("language", "words"), [("en", ENGLISH), ("sv", SWEDISH)], ids=["en", "sv"])
def test_what_was_told_is_there_in_the_next_conversation(page, model, language, words):
    """The model is told the earlier preference, and the reply shows it as a memory used; in both languages."""
    tell_then_ask(page, *words)

    assert QUOTE[language] in model.told()[-1]
    assert "<COMPANION_MEMORY>" in model.told()[-1]
    assert page.locator("html").get_attribute("lang") == language
    reply = articles(page).last
    reply.get_by_text(BADGE[language]).click()
    expect(reply.get_by_text(WHY[language]).first).to_be_visible()
    expect(reply.get_by_role("listitem").filter(has_text=QUOTE[language])).to_be_visible()


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
    expect(reply).not_to_contain_text(BADGE["en"])
    expect(reply).not_to_contain_text("step by step")
