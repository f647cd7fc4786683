"""Talking and reading aloud in a real browser, with a microphone that plays a file and a loudspeaker that takes notes."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from chat.models import Message
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from companion_site.voice import local, service
from tests import chromium
from tests.browsing import IN_A_BROWSER, browse
from tests.e2e.pages import begin_conversation, message_box, say
from tests.live import Served, serving
from tests.llm.wire_server import Act as Reply
from tests.voice import provider as providers
from tests.voice.provider import Act, VoiceProvider, serve_voice
from tests.voice.sounds import has_listening, tone, wav

FAKE_MICROPHONE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
#: Waits are for events, which a busy machine brings late; none is proved by its coming early.
PATIENCE_MS = 180_000
#: A sentence that lasts until it is interrupted, however busy the machine.
SENTENCE_S = 60
SAID = "My sister Anna moved to a new town last week."
ANSWER = "That is a big change for you both. Do you miss her already?"
#: Notes every sound that begins: how long it is, and how loud.
TAKE_NOTES = """() => {
  window.heard = [];
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...given) {
    const samples = this.buffer.getChannelData(0);
    window.heard.push({ seconds: this.buffer.duration, power: samples.reduce((sum, at) => sum + at * at, 0) / samples.length });
    return start.apply(this, given);
  };
  const stop = AudioBufferSourceNode.prototype.stop;
  AudioBufferSourceNode.prototype.stop = function (...given) {
    window.heard.at(-1).stopped = true;
    return stop.apply(this, given);
  };
}"""

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("L1", "L7")]
Opener = Callable[..., Page]


@pytest.fixture(autouse=True)
def patient() -> Iterator[None]:
    """Have what is expected waited for as long as everything else; the option is one for the whole process."""
    expect.set_options(timeout=PATIENCE_MS)
    yield
    expect.set_options(timeout=chromium.PATIENCE_MS)


@pytest.fixture
def site(ada) -> Iterator[Served]:
    with serving() as site:
        yield site
        site.run(service.aclose())


@pytest.fixture
def outside(settings, monkeypatch) -> Iterator[VoiceProvider]:
    """Providers that hear "I slept badly." in everything, and say a minute of a tone."""
    monkeypatch.setattr(providers, "SOUND", [wav(tone(SENTENCE_S))])
    with serve_voice(settings) as server:
        yield server


@pytest.fixture
def open_page(site, open_browsers) -> Iterator[Opener]:
    """What opens a new conversation in a browser; in the end nothing may have been complained of."""
    pages: list[Page] = []
    with ExitStack() as ending:

        def open_page(*, microphone: Path | None = None) -> Page:
            browser = open_browsers.get(*FAKE_MICROPHONE)
            if microphone:
                play = f"--use-file-for-fake-audio-capture={microphone}%noloop"
                browser = open_browsers.start(*FAKE_MICROPHONE, play)
                ending.callback(browser.close)
            page = ending.enter_context(browse("ada", browser))
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(f"({TAKE_NOTES})()")
            begin_conversation(page)
            page.wait_for_load_state("networkidle")
            pages.append(page)
            return page

        yield open_page
    assert [complaint for page in pages for complaint in page.complaints] == []


def talk_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Talk", exact=True)


def hold(page: Page, *, until_s: int) -> None:
    """Hold the button down until at least so many seconds have been recorded."""
    talk_button(page).hover()
    page.mouse.down()
    wait_recorded(page, seconds=until_s)
    page.mouse.up()


def wait_recorded(page: Page, *, seconds: int) -> None:
    counted = "|".join(str(one) for one in range(seconds, 121))
    expect(page.get_by_text(re.compile(rf"^({counted}) of \d+ s$"))).to_be_visible()


def wait_heard(page: Page, count: int) -> list[dict]:
    """Wait until so many sounds have begun; the page's policy leaves only asking again and again."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while len(heard := page.evaluate("window.heard")) < count:
        assert time.monotonic() < deadline, f"heard only {heard}"
        page.wait_for_timeout(50)
    return heard


def messages(access) -> list[Message]:
    with space_scope(access.space), unlocked(access.space, access.key):
        return list(Message.objects.for_space(access.space).order_by("position"))


@has_listening
@pytest.mark.skipif(
    not local.can_speak(), reason="the packages of requirements-voice.txt are not installed (make voice)"
)
def test_what_is_said_becomes_text_and_the_reply_becomes_sound(open_page, ada, model, settings, tmp_path):
    """Speech from a microphone is drafted, written down, edited, sent as spoken; the reply is heard sentence by sentence."""
    settings.VOICE_STT = settings.VOICE_TTS = "local"
    model.always(Reply(text=ANSWER))
    page = open_page(microphone=speech_file(tmp_path))
    sounds: list[tuple[str, str]] = []
    page.on(
        "response",
        lambda one: (
            "/speech/" in one.url and sounds.append((one.url[-2:-1], one.headers.get("content-type")))
        ),
    )
    page.get_by_role("switch", name="Read replies aloud").check()
    hold(page, until_s=6)
    expect(message_box(page)).to_have_value(re.compile("sister.*moved.*new town", re.IGNORECASE))
    assert page.evaluate("document.activeElement.id") == "message-box"
    message_box(page).press("End")
    message_box(page).press_sequentially(" I think.")
    page.get_by_role("button", name="Send").click()
    heard = wait_heard(page, 2)
    assert all(1 < one["seconds"] < 10 and one["power"] > 1e-5 for one in heard)
    assert sounds[:2] == [("0", "audio/wav"), ("1", "audio/wav")]
    expect(page.get_by_role("button", name="Stop reading")).to_have_count(0)
    said, _ = messages(ada)
    with unlocked(ada.space, ada.key):
        assert said.spoken and said.text.endswith("I think.") and "sister" in said.text.lower()
        sound = said.outcome["sound"]
    assert sound["duration_s"] > 4 and sound["tempo_wps"] > 1 and -50 < sound["loudness_db"] < 0


def test_a_recording_that_could_not_be_sent_is_kept_and_sent_again(open_page, outside):
    """The refusal is told; the same recording goes up when asked to, and its words arrive."""
    outside.script(Act(status=503), Act(status=503))
    page = open_page()
    hold(page, until_s=2)
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    expect(page.locator("[data-voice-problem]")).not_to_be_empty()
    expect(message_box(page)).to_have_value("")
    again.click()
    expect(message_box(page)).to_have_value("I slept badly.")
    expect(again).to_have_count(0)
    sent = {asked.file[2] for asked in outside.asked}
    assert len(outside.asked) == 3 and len(sent) == 1 and len(sent.pop()) > 1000
    assert page.complaints and all("503" in complaint for complaint in page.complaints)
    page.complaints.clear()


def test_keys_hold_the_button_and_escape_cancels(open_page, outside):
    """Space held talks and is let go to send; Escape drops what was recorded, and nothing of it leaves the browser."""
    page = open_page()
    for key in ("Space", "Enter"):
        talk_button(page).focus()
        page.keyboard.down(key)
        wait_recorded(page, seconds=1)
        page.keyboard.press("Escape")
        page.keyboard.up(key)
        expect(page.get_by_text("Cancelled. Nothing was kept.")).to_be_visible()
        expect(talk_button(page)).to_have_attribute("aria-pressed", "false")
    assert outside.asked == []
    page.keyboard.down("Space")
    wait_recorded(page, seconds=1)
    page.keyboard.up("Space")
    expect(message_box(page)).to_have_value("I slept badly.")


def test_a_reply_is_read_in_order_and_falls_silent_at_once(open_page, outside, model):
    """One sentence is heard while only the next is fetched; the button, Escape and beginning to talk each end it."""
    model.always(Reply(text="One is here. Two is here. Three is here. Four is here. Five is here."))
    page = open_page()
    page.get_by_role("switch", name="Read replies aloud").check()
    interruptions = (
        lambda: page.get_by_role("button", name="Stop reading").click(),
        lambda: page.keyboard.press("Escape"),
        lambda: talk_button(page).click(),
    )
    for number, interrupt in enumerate(interruptions, start=1):
        page.evaluate("window.heard.length = 0")
        say(page, f"Tell me again, for time number {number}")
        wait_heard(page, 1)
        interrupt()
        assert page.evaluate("window.heard.at(-1).stopped")
        expect(page.get_by_role("button", name="Stop reading")).to_have_count(0)
        asked = [asked.json["text"] for asked in outside.asked]
        assert asked[0] == "One is here." and set(asked) <= {"One is here.", "Two is here."}
    page.keyboard.press("Escape")


def test_a_reply_of_before_is_read_when_it_is_asked_for(open_page, outside, model):
    """By its own button, from its beginning and though replies are not read aloud; a second press ends it."""
    model.always(Reply(text="One is here. Two is here."))
    page = open_page()
    say(page, "Tell me what is here")
    aloud = page.get_by_role("button", name="Read aloud")
    expect(aloud).to_be_visible()
    assert outside.asked == []
    page.reload()
    aloud.click()
    wait_heard(page, 1)
    expect(aloud).to_have_attribute("aria-pressed", "true")
    assert outside.asked[0].json["text"] == "One is here."
    aloud.click()
    assert page.evaluate("window.heard.at(-1).stopped")
    expect(aloud).to_have_attribute("aria-pressed", "false")


def test_the_switch_is_remembered(open_page, outside):
    """Whoever wants replies read aloud says so once: it is a wish of theirs, not of one browser."""
    page = open_page()
    switch = page.get_by_role("switch", name="Read replies aloud")
    with page.expect_response("**/wishes/"):
        switch.check()
    page.reload()
    expect(switch).to_be_checked()
    with page.expect_response("**/wishes/"):
        switch.uncheck()
    page.reload()
    expect(switch).to_be_visible()
    expect(switch).not_to_be_checked()


def speech_file(place: Path) -> Path:
    """A file of somebody saying `SAID`, with a little silence around it."""
    local.quieten()
    hibari = pytest.importorskip(
        "hibari", reason="the packages of requirements-voice.txt are not installed (make voice)"
    )
    voice = hibari.Hibari(threads=1)
    rate = voice.sample_rate
    samples = np.concatenate([np.zeros(rate // 2), voice(SAID, seed=1), np.zeros(5 * rate)])
    path = place / "said.wav"
    path.write_bytes(wav(samples, rate=rate))
    return path
