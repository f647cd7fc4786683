"""What goes wrong at the page: a clear word in it, a log line without content, and nothing lost."""

import re

from playwright.sync_api import expect

from tests.e2e.pages import (
    articles,
    await_reply,
    exchange,
    fill_log_in,
    last_reply,
    message_box,
    post,
    say,
)
from tests.e2e.people import PASSWORD
from tests.e2e.records import connect
from tests.llm.wire_server import Act

WORDS = " ".join(f"word{number}" for number in range(30))
PLANTED = "rhododendron"
#: Sends one frame on a socket of its own and returns what came back.
SEND_RAW = """([path, frame]) => new Promise((resolve) => {
  const socket = new WebSocket(location.origin.replace("http", "ws") + path);
  socket.onopen = () => socket.send(frame);
  socket.onmessage = (message) => { resolve(JSON.parse(message.data)); socket.close(); };
})"""


def test_what_cannot_be_sent_is_told_in_the_page_and_not_lost(conversation):
    """A message without words, or of 100 KB, appears nowhere; the long one stays in the box, can be shortened and sent, and then the word is gone."""
    long = "long words " * 9_400
    for text, told in (
        ("", "Write something first."),
        ("   \n ", "Write something first."),
        (long, "too long"),
    ):
        say(conversation, text)
        expect(conversation.get_by_role("alert").filter(has_text=told)).to_be_visible()
        expect(articles(conversation)).to_have_count(0)
    expect(message_box(conversation)).to_have_value(long)
    exchange(conversation, "Shorter now.")
    expect(
        conversation.get_by_role("alert").filter(has_text=re.compile("something first|too long"))
    ).to_have_count(0)


def test_ten_wrong_passwords_close_the_door_for_a_while(page, student, watch):
    """After ten wrong passwords the answer is how long to wait, and until then the right one does not help."""
    watch.expected_statuses.add(429)
    for _ in range(9):
        post(page, "/login/", username=student, password="wrong-password")
    page.goto("/login/")
    fill_log_in(page, student, "wrong-password")
    expect(page.get_by_role("alert")).to_have_text("Log-in name and password do not fit together.")
    for password in ("wrong-password", PASSWORD):
        page.goto("/login/")
        fill_log_in(page, student, password)
        expect(page.get_by_text("Too many attempts. Wait")).to_be_visible()


def test_a_session_that_expires_during_a_reply_loses_nothing(conversation, student, model, site):
    """The page says that one is logged out and leads to the log-in; what was said is whole, and the reply is kept as last saved."""
    model.script(Act(text=WORDS, delay_s=0.1))
    say(conversation, "Tell me something long.")
    expect(last_reply(conversation)).to_contain_text("word9")
    with connect(site.var) as database:
        database.execute("UPDATE accounts_session SET expire_date = now() - interval '1 hour'")
    model.script(Act(text="Here is more."))
    say(conversation, "And then?")
    notice = conversation.get_by_role("alert").filter(has_text="You have been logged out")
    expect(notice).to_be_visible()
    expect(articles(conversation).filter(has_text="And then?")).to_be_visible()
    message_box(conversation).fill("Not sent yet")

    with conversation.expect_popup() as opened:
        notice.get_by_role("link", name=re.compile("^Log in")).click()
    again = opened.value
    expect(again).to_have_url(re.compile("/login/"))
    fill_log_in(again, student, PASSWORD)
    expect(again).to_have_url(conversation.url)
    again.close()
    conversation.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    expect(notice).to_be_hidden()
    await_reply(conversation, messages=4)
    expect(articles(conversation).nth(1)).to_contain_text("word3")
    expect(last_reply(conversation)).to_contain_text("Here is more.")
    expect(message_box(conversation)).to_have_value("Not sent yet")
    message_box(conversation).fill("")
    conversation.reload()
    expect(articles(conversation)).to_have_count(4)


def test_a_log_line_about_a_bad_frame_holds_no_content(conversation, site):
    """What the socket cannot use is refused with a word to the page and a line of log that quotes none of it."""
    path = conversation.locator("[data-socket-path]").get_attribute("data-socket-path")
    before = site.said().count("socket.refused")
    for frame in (f'{{"type": "chat.say", "text": "{PLANTED}"}}', f"{PLANTED} {{", f'["{PLANTED}"]'):
        answer = conversation.evaluate(SEND_RAW, [path, frame])
        assert (answer["type"], answer["code"]) == ("chat.error", "input.invalid")
        assert answer["text"] == "That could not be understood."
    assert site.said().count("socket.refused") == before + 3
    assert PLANTED not in site.said()
