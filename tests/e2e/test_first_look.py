"""The first look that the README describes: the demo student `ada`, with the weeks behind her that a new site gives her."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import articles, await_remembered, begin_conversation, exchange, log_in, log_out
from tests.e2e.starting import environment
from tests.running.site import Site

TOLD, ASKED = "I find recursion hard, please explain step by step", "can you help me with recursion?"
PERSONAL = re.compile(r"(Very personal|Personal|Slightly personal|Not personal) · \d")
#: forming some weeks of memories takes its time on a busy machine; the page is opened so often, this far apart
LOOKS, BETWEEN_LOOKS_MS = 80, 3_000
#: what is asked of the weeks before the first look, and what the answer says
OF_THE_WEEKS = (
    ("What is my brother called?", "Noah"),
    ("What is the name of Mira's dog?", "Bosse"),
)
#: what is wanted of the companion itself, one after the other in one conversation, and what the reply says
OF_ITSELF = (
    ("Are you alive?", "program"),
    ("Write me a poem about whales", "language model"),
    # At the end of a month the test that ada told of is near, and she is reminded of it in place of the question.
    ("My cousin lives in Oslo.", re.compile("anything else I should know|else belongs to it|keep in mind")),
    ("Remind me what we discussed", "“My cousin lives in Oslo”"),
    ("Plan my week", "1. "),
)


@pytest.fixture(scope="module")
def site(chromium, running_model, tmp_path_factory):
    """The product as `make run` starts it the first time, with the demo students' weeks, and no model."""
    place = tmp_path_factory.mktemp("first-look")
    env = environment(place, model_url=running_model.url, DEMO_TALK="on", LLM_CHAIN="offline")
    # Not from a copy of a first start, as other tests do: that has no weeks.
    with Site(env, place) as site:
        yield site


def await_weeks(page: Page) -> None:
    """Open the Memory page until the last of what came of her weeks stands there."""
    page.get_by_role("link", name="Memory", exact=True).first.click()
    for _ in range(LOOKS):
        if "marine biologist" in page.get_by_role("main").inner_text():
            break
        page.wait_for_timeout(BETWEEN_LOOKS_MS)
        page.reload()
    expect(page.get_by_role("main")).to_contain_text("marine biologist")
    expect(page.get_by_role("main")).to_contain_text("Bosse")


def test_ada_is_remembered_as_the_readme_says(page):
    """What came of her weeks stands under Memory; recursion, her brother and Mira's dog are known in new conversations; what it is asked of itself it answers, too."""
    log_in(page, "ada")
    await_weeks(page)
    begin_conversation(page)
    exchange(page, TOLD)
    await_remembered(page, TOLD)
    log_out(page)

    log_in(page, "ada")
    begin_conversation(page)
    reply = exchange(page, ASKED)
    for words in ("please explain step by step", "no language model", PERSONAL):
        expect(reply).to_contain_text(words)
    for question, answer in OF_THE_WEEKS:
        begin_conversation(page)
        expect(exchange(page, question)).to_contain_text(answer)
        expect(articles(page)).to_have_count(2)
    begin_conversation(page)
    for number, (wish, answer) in enumerate(OF_ITSELF, start=1):
        expect(exchange(page, wish, messages=2 * number)).to_contain_text(answer)
