"""The addresses of the voice: who may ask, what comes back, and every refusal as JSON."""

import asyncio
import json
import logging
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from chat import services
from chat.models import Message
from chat.replies.live import LiveReply, start_reply
from chat.voice import views
from chat.voice.selection import SentenceNotYet, find_sentence, tone_of
from chat.voice.views import SENTENCES
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from companion_site.voice.errors import SpeechBrokeOff
from companion_site.voice.types import ToneParams
from tests.cases import cases
from tests.factories import make_access, make_business_user
from tests.voice.conftest import browser_of
from tests.voice.provider import SOUND, Act
from tests.voice.sounds import silence, tone, wav

TRANSCRIPTS = "/chat/voice/transcripts/"
TONE = {
    "name": "calm",
    "stability": 0.8,
    "similarity": 0.5,
    "style": "Soft",
    "speed": 0.9,
    "directive": "slowly",
}
REPLY = "I hear you. Was it the **knee**? [Rest](https://example.org) helps."


def reply_to(access, text, *, state=Message.State.COMPLETE, outcome=None, said_at=None):
    """Store a message and a reply to it as a turn leaves them; return the reply's id."""
    at = said_at or timezone.now()
    row = services.begin_conversation(access, now=at)
    exchange = services.say(access, row.pk, text="My knee hurts.", client_id=uuid4(), now=at)
    with space_scope(access.space), unlocked(access.space, access.key):
        reply = Message.objects.for_space(access.space).get(pk=exchange.reply.pk)
        reply.text, reply.state, reply.outcome, reply.streamed_at = text, state, outcome, at
        reply.save(update_fields=["text", "state", "outcome", "streamed_at"])
    return exchange.reply.pk


def sentence(reply, number, **query):
    words = "".join(f"?{name}={value}" for name, value in query.items())
    return f"/chat/voice/speech/{reply}/{number}/{words}"


async def send(client, data, *, kind="audio/wav", **query):
    words = "&".join(f"{name}={value}" for name, value in query.items())
    return await client.post(f"{TRANSCRIPTS}?{words}", data, content_type=kind)


def refused(answer):
    """Return status and code of a refusal, whose form is always the same."""
    assert answer["Content-Type"] == "application/json"
    told = json.loads(answer.content)
    assert set(told) == {"error", "message", "retryable"} and told["message"].endswith(".")
    return answer.status_code, told["error"]


@pytest.mark.spec("L1", "L2")
async def test_a_recording_becomes_words_and_how_they_sounded(provider, browser):
    """The words in the language asked for, with length, loudness, tempo and pauses beside them."""
    provider.script(Act(text="Jag sov dåligt i natt."))
    answer = await send(browser, wav(tone(2)), language="sv")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    told = answer.json()
    assert told["sound"].pop("loudness_db") == pytest.approx(-20, abs=0.5)
    assert told == {
        "text": "Jag sov dåligt i natt.",
        "language": "sv",
        "partial": False,
        "sound": {"duration_s": 2.0, "tempo_wps": 2.5, "pause_share": 0.0},
    }
    assert provider.asked[0].form["language"] == "sv"


@pytest.mark.spec("L1")
async def test_the_language_is_the_person_s_own_where_none_is_named(provider, committed):
    """Somebody whose site is Swedish speaks Swedish."""
    await sync_to_async(make_access)("eva", language="sv")
    await send(await sync_to_async(browser_of)("eva"), wav(tone(1)))
    assert provider.asked[0].form["language"] == "sv"


REFUSED = {
    "empty": (b"", "audio/wav", {}, (400, "voice.empty")),
    "silent": (wav(silence(60)), "audio/wav", {}, (422, "voice.silent")),
    "language": (wav(tone(1)), "audio/wav", {"language": "de"}, (400, "voice.language")),
    "partial": (wav(tone(1)), "audio/wav", {"partial": 1}, (409, "voice.partial-unavailable")),
    "ten minutes of silence": (wav(silence(600)[::4], rate=4_000), "audio/wav", {}, (413, "voice.too-long")),
    "large": (bytes(8 * 1024 * 1024 + 1), "audio/wav", {}, (413, "voice.too-large")),
    "a picture": (b"GIF89a" + bytes(99), "audio/webm", {}, (422, "voice.unreadable")),
    "a codec nobody knows": (
        wav(tone(1)).replace(b"\x10\0\0\0\x01\0", b"\x10\0\0\0\x34\x12", 1),
        "audio/wav",
        {},
        (422, "voice.unreadable"),
    ),
    "bytes": (wav(tone(1)), "application/octet-stream", {}, (415, "voice.type")),
    "a form": (b"a=b", "application/x-www-form-urlencoded", {}, (415, "voice.type")),
}


@pytest.mark.spec("L1")
async def test_what_is_no_use_is_refused_before_anybody_is_asked(provider, browser):
    """Nothing of it leaves the machine, and the page is told which it was."""
    told = {
        name: refused(await send(browser, data, kind=kind, **query))
        for name, (data, kind, query, _) in REFUSED.items()
    }
    assert told == {name: case[3] for name, case in REFUSED.items()}
    assert provider.asked == []


@pytest.mark.spec("L1")
async def test_a_provider_that_is_down_is_no_error_of_the_site(provider, browser):
    """The page is told to try again or to write."""
    provider.script(*[Act(status=500)] * 2, Act(status=401))
    answer = await send(browser, wav(tone(1)))
    assert refused(answer) == (503, "voice.provider")
    assert answer.json()["retryable"] is True
    assert refused(await send(browser, wav(tone(1)))) == (503, "voice.rejected")


@pytest.mark.spec("L1", "L7")
async def test_a_loop_is_told_to_wait(provider, browser, ada, monkeypatch):
    """Somebody who speaks has enough; more than that in a minute is answered with when to come back."""
    monkeypatch.setattr(views, "SENTENCES", replace(SENTENCES, most=2))
    reply = await sync_to_async(reply_to)(ada, REPLY)
    assert [(await browser.get(sentence(reply, 0, words=1))).status_code for _ in range(2)] == [200, 200]
    answer = await browser.get(sentence(reply, 0))
    assert refused(answer) == (429, "voice.too-many")
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert provider.asked == []


@pytest.mark.spec("L7")
async def test_a_reply_is_said_one_sentence_after_the_other(provider, browser, ada):
    """Each without its Markdown and in the tone of its turn; after the last there is nothing."""
    reply = await sync_to_async(reply_to)(ada, REPLY, outcome={"tone": TONE})
    said = [await browser.get(sentence(reply, number)) for number in range(4)]
    assert [answer.status_code for answer in said] == [200, 200, 200, 204]
    assert said[0]["Content-Type"] == "audio/mpeg"
    assert "no-store" in said[0]["Cache-Control"]
    assert b"".join([piece async for piece in said[0].streaming_content]) == b"".join(SOUND)
    assert [asked.json["text"] for asked in provider.asked] == [
        "I hear you.",
        "Was it the knee?",
        "Rest helps.",
    ]
    settings = provider.asked[0].json["voice_settings"]
    del settings["use_speaker_boost"]
    assert settings == {"stability": 0.8, "similarity_boost": 0.5, "style": 0.1, "speed": 0.9}
    for answer in said[1:3]:
        async for _ in answer.streaming_content:
            pass


@pytest.mark.spec("L7")
@cases("outcome", [None, {}, {"tone": "calm"}, {"tone": {"speed": "fast", "style": 3}}, ["tone"]])
def test_a_reply_without_a_tone_is_said_in_a_neutral_one(outcome):
    """Whatever a turn left behind, the companion can speak."""
    assert tone_of(outcome) == ToneParams()
    assert tone_of({"tone": {"speed": 1.1, "name": "calm"}}) == ToneParams(speed=1.1)


@pytest.mark.spec("L7")
async def test_the_browser_may_say_it_itself(browser, ada):
    """Where this site has no voice, the same sentence comes as words, with its language and pace."""
    reply = await sync_to_async(reply_to)(ada, REPLY, outcome={"tone": TONE})
    assert refused(await browser.get(sentence(reply, 1))) == (409, "voice.unavailable")
    told = (await browser.get(sentence(reply, 1, words=1))).json()
    assert told == {"text": "Was it the knee?", "language": "en", "tone": {"speed": 0.9}}


@pytest.mark.spec("L7", "L9")
async def test_a_sentence_is_said_while_the_reply_is_still_written(ada):
    """The request waits for its sentence to be complete, and no longer."""
    reply = await sync_to_async(reply_to)(ada, None, state=Message.State.STREAMING)
    live = LiveReply(reply)

    async def write():
        for piece in ("I hear ", "you. ", "Was it "):
            await asyncio.sleep(0.15)
            live.add(piece)
        await asyncio.Event().wait()

    start_reply(live, write())
    try:
        found = await find_sentence(ada, reply, 0, wait_s=60)
        assert found.text == "I hear you."
        assert live.state == Message.State.STREAMING
        with pytest.raises(SentenceNotYet):
            await find_sentence(ada, reply, 1, wait_s=0.3)
    finally:
        live.stop()


@pytest.mark.spec("L7")
async def test_a_sentence_of_another_process_s_reply_is_waited_for(browser, ada, monkeypatch):
    """What is written elsewhere is seen by its row; not complete in time, it is asked for again."""
    monkeypatch.setattr(views, "WAIT_S", 0.2)
    reply = await sync_to_async(reply_to)(ada, "I hear you. Was", state=Message.State.STREAMING)
    assert (await browser.get(sentence(reply, 0, words=1))).json()["text"] == "I hear you."
    assert refused(await browser.get(sentence(reply, 1, words=1))) == (202, "voice.not-yet")


@pytest.mark.spec("L7")
async def test_a_reply_that_was_cut_short_is_said_as_far_as_it_goes(browser, ada):
    """A row that nobody writes to any more is whole."""
    old = timezone.now() - timedelta(minutes=1)
    reply = await sync_to_async(reply_to)(ada, "I hear you. Was", state=Message.State.STREAMING, said_at=old)
    assert (await browser.get(sentence(reply, 1, words=1))).json()["text"] == "Was"
    assert (await browser.get(sentence(reply, 2, words=1))).status_code == 204


@pytest.mark.spec("L7")
async def test_speech_that_breaks_off_ends_in_an_error(provider, browser, ada):
    """The page's fetch fails; half a sentence never looks like a whole one."""
    provider.script(Act(cut_after=2))
    reply = await sync_to_async(reply_to)(ada, REPLY)
    answer = await browser.get(sentence(reply, 0))
    with pytest.raises(SpeechBrokeOff):
        async for _ in answer.streaming_content:
            pass


@pytest.mark.spec("L1", "L7")
async def test_nobody_hears_another_s_reply(provider, browser, ada):
    """A stranger's reply, their own message, and what does not exist are all the same: nothing is there, nothing is sent."""
    eva = await sync_to_async(make_access)("eva")
    other = await sync_to_async(reply_to)(eva, REPLY)
    own = await sync_to_async(reply_to)(ada, REPLY)
    message = await sync_to_async(_message_of)(ada, own)
    for wrong in (other, message, uuid4()):
        assert refused(await browser.get(sentence(wrong, 0))) == (404, "not-found")
        assert refused(await browser.get(sentence(wrong, 0, words=1))) == (404, "not-found")
    assert provider.asked == []


def _message_of(access, reply):
    with space_scope(access.space):
        return Message.objects.for_space(access.space).get(pk=reply).parent_id


@pytest.mark.spec("L1", "L7")
async def test_a_company_s_person_has_no_voice(provider, committed):
    """The voice belongs to the personal side: there it is told as absent, and everything else is nothing."""
    await sync_to_async(make_business_user)("bo")
    bo = await sync_to_async(browser_of)("bo")
    told = (await bo.get("/chat/voice/")).json()
    assert told["listening"] == told["speaking"] == {"en": None, "sv": None}
    assert refused(await send(bo, wav(tone(1)))) == (404, "not-found")
    assert refused(await bo.get(sentence(uuid4(), 0))) == (404, "not-found")
    assert provider.asked == []


@pytest.mark.spec("L1")
async def test_a_locked_memory_says_so(provider, browser):
    """A session whose key is gone is told in JSON, so that the page can lead to the log-in."""
    for name in list(browser.cookies):
        if name not in ("sessionid", "csrftoken"):
            del browser.cookies[name]
    assert refused(await send(browser, wav(tone(1)))) == (401, "space.locked")


@pytest.mark.spec("L1", "L7")
async def test_without_any_voice_nothing_else_changes(browser, ada):
    """The site says that it has none, refuses what needs one, and chats as ever."""
    told = (await browser.get("/chat/voice/")).json()
    assert told["listening"] == told["speaking"] == {"en": None, "sv": None}
    assert refused(await send(browser, wav(tone(1)))) == (409, "voice.unavailable")
    assert refused(await send(browser, b"")) == (409, "voice.unavailable")
    assert (await browser.get("/chat/")).status_code == 200


@pytest.mark.spec("L1")
async def test_a_recording_leaves_no_trace(provider, browser, caplog, no_disk):
    """Not a file, not a word or sound in the log; three megabytes stay in memory like three kilobytes."""
    caplog.set_level(logging.DEBUG)
    provider.script(Act(text="my knee hurts"))
    data = wav(tone(100))
    assert len(data) > 3_000_000
    answer = await send(browser, data)
    assert answer.json()["text"] == "my knee hurts"
    assert "knee" not in caplog.text
    assert "voice.heard" in caplog.text
