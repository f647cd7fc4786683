"""Replies on their way to the page, beyond the walk: through lost connections, in two tabs, and hostile."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.chromium import Wire
from tests.e2e.pages import (
    articles,
    await_reply,
    enter,
    exchange,
    last_reply,
    message_box,
    say,
)
from tests.llm.wire_server import Act

WORDS = " ".join(f"word{number}" for number in range(40))
HOSTILE = """**bold** <script>window.taken = 1</script><img src=x onerror="window.taken = 2">

[press me](javascript:window.taken=3) [a page](https://example.org/) ![picture](https://example.org/p.png)

<iframe srcdoc="<script>parent.taken = 4</script>"></iframe><style>body { display: none }</style>

```python
print("<b>hello</b>")
```

| a | b |
| --- | --- |
| 1 | 2 |
"""


def test_a_message_whose_receipt_was_lost_is_sent_again_and_kept_once(page, student, model):
    """The socket drops before the page hears that its message arrived: it resends, and there is one message."""
    wire = Wire(page, deaf=True)
    enter(page, student)
    say(page, "Did this arrive?")
    while not model.told():
        page.wait_for_timeout(50)
    expect(articles(page)).to_have_count(1)
    wire.cut()
    await_reply(page, messages=2)
    expect(page.get_by_role("log").get_by_text("Did this arrive?", exact=True)).to_have_count(1)
    page.reload()
    expect(articles(page)).to_have_count(2)
    assert len(model.told()) == 1


def test_a_message_said_while_offline_is_sent_when_the_connection_is_back(page, student, model):
    """What is said without a connection is shown at once and answered once there is one."""
    wire = Wire(page)
    enter(page, student)
    exchange(page, "First.")
    page.unroute_all()
    wire.cut()
    expect(page.locator(".chat__status")).to_contain_text("Connection lost")
    say(page, "Second.")
    expect(articles(page)).to_have_count(3)
    await_reply(page, messages=4)


@pytest.mark.parametrize("way", ["button", "Enter"])
def test_what_is_sent_before_the_scripts_are_there_is_sent_once_they_are(conversation, model, way):
    """The very first moment counts too: a message sent while the page still loads is neither lost nor doubled."""
    held: list[Route] = []
    conversation.route("**/chat_state.js", lambda route: held.append(route))
    conversation.goto(conversation.url, wait_until="commit")
    # What stands behind the composer's script is there once the script has run.
    expect(conversation.get_by_text("Enter sends")).to_be_attached()
    message_box(conversation).fill("Quick as a flash.")
    if way == "button":
        conversation.get_by_role("button", name="Send").click(no_wait_after=True)
    else:
        conversation.keyboard.press("Enter")
    expect(articles(conversation)).to_have_count(0)
    expect(message_box(conversation)).to_have_value("Quick as a flash.")
    while not held:
        conversation.wait_for_timeout(20)
    for route in held:
        route.continue_()
    await_reply(conversation, messages=2)
    expect(message_box(conversation)).to_have_value("")
    assert len(model.told()) == 1


def test_two_tabs_show_the_same_reply_and_either_can_stop_it(conversation, model):
    """A second tab opened in the middle of a reply shows it from its beginning; its stop button ends it in both."""
    model.script(Act(text=WORDS, delay_s=0.25))
    say(conversation, "Tell me something long.")
    expect(last_reply(conversation)).to_contain_text("word3")
    second = conversation.context.new_page()
    second.goto(conversation.url)
    expect(last_reply(second)).to_contain_text("word0 word1 word2 word3 word4 word5")
    second.get_by_role("button", name="Stop").click()
    texts = []
    for tab in (conversation, second):
        reply = await_reply(tab, messages=2)
        expect(reply).to_contain_text("You stopped this reply.")
        texts.append(reply.locator("[data-text]").inner_text())
    assert texts[0] == texts[1] != WORDS


def test_what_two_tabs_say_at_once_is_kept_in_one_order(conversation, model):
    """Both tabs show what either says, each message has its own reply, and after a reload they agree on the order."""
    second = conversation.context.new_page()
    second.goto(conversation.url)
    for tab, words in ((conversation, "From the first"), (second, "From the second")):
        say(tab, words)
    for tab in (conversation, second):
        await_reply(tab, messages=4)
    shown = []
    for tab in (conversation, second):
        tab.reload()
        expect(articles(tab)).to_have_count(4)
        shown.append(articles(tab).locator("[data-text]").all_inner_texts())
    assert shown[0] == shown[1]
    assert {shown[0][0], shown[0][2]} == {"From the first", "From the second"}


def test_a_hostile_reply_is_shown_and_harms_nothing(conversation, model):
    """Markdown becomes formatting; scripts, frames, pictures and script links in a reply stay text or vanish."""
    model.script(Act(text=HOSTILE))
    reply = exchange(conversation, "Show me everything.")
    expect(reply.locator("strong")).to_have_text("bold")
    expect(reply.get_by_role("table")).to_be_visible()
    expect(reply.locator("pre")).to_contain_text('print("<b>hello</b>")')
    assert reply.locator("script, img, iframe, style, b").count() == 0
    links = reply.get_by_role("link").evaluate_all("all => all.map(a => a.href)")
    assert {urlsplit(link).scheme for link in links} == {"https"}
    assert conversation.evaluate("window.taken") is None
