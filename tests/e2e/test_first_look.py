"""The first look that the README describes: the demo student `ada`, with the weeks behind her that a new site gives her."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import articles, await_remembered, begin_conversation, exchange, log_in, log_out
from tests.e2e.starting import environment, running

TOLD, ASKED = "I find recursion hard, please explain step by step", "can you help me with recursion?"
#: forming some weeks of memories takes its time on a busy machine
WEEKS_PATIENCE_MS = 240_000
#: what is asked of the weeks before the first look, and what the answer says
OF_THE_WEEKS = (
    ("What is my brother called?", "Noah"),
    ("What is the name of Mira's dog?", "Bosse"),
)


@pytest.fixture(scope="module")
def site(chromium, running_model, tmp_path_factory):
    """The product as `make run` starts it the first time, with the demo students' weeks, and no model."""
    place = tmp_path_factory.mktemp("first-look")
    env = environment(place, model_url=running_model.url, DEMO_TALK="on", LLM_CHAIN="offline")
    with running(place, env) as site:
        yield site


def test_ada_is_remembered_as_the_readme_says(page):
    """What came of her weeks stands under Memory; recursion, her brother and Mira's dog are known in new conversations."""
    log_in(page, "ada")
    page.get_by_role("link", name="Memory", exact=True).first.click()
    expect(page.get_by_role("main")).to_contain_text("Bosse", timeout=WEEKS_PATIENCE_MS)
    begin_conversation(page)
    exchange(page, TOLD)
    await_remembered(page, TOLD)
    log_out(page)

    log_in(page, "ada")
    begin_conversation(page)
    expect(exchange(page, ASKED)).to_contain_text("please explain step by step")
    for question, answer in OF_THE_WEEKS:
        begin_conversation(page)
        expect(exchange(page, question)).to_contain_text(answer)
        expect(articles(page)).to_have_count(2)
