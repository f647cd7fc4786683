"""The adapters of providers, over real sockets: what they send, and what becomes of them when the provider is in trouble."""

import logging
from dataclasses import replace

import numpy as np
import pytest

from companion_site.llm.types import Outcome
from companion_site.voice import http
from companion_site.voice.decoder import MP4, WEBM
from companion_site.voice.elevenlabs import ElevenLabs, request_of
from companion_site.voice.errors import (
    SpeechBrokeOff,
    VoiceProviderFailed,
    VoiceProviderRefused,
    VoiceProviderTooSlow,
)
from companion_site.voice.openai import OpenAIWhisper
from companion_site.voice.types import Recording, ToneParams
from tests.voice.provider import SOUND, Act

LIMITS = replace(
    http.LIMITS,
    first_token_s=30,
    between_tokens_s=30,
    total_s=60,
    backoff_s=0.01,
    retry_after_max_s=0.1,
)
#: For providers from which nothing more will come.
IMPATIENT = replace(LIMITS, first_token_s=0.5, between_tokens_s=0.3)
RECORDING = Recording(data=b"\x1a\x45\xdf\xa3 what was said \x00\xff", container=WEBM, samples=None)
SECRET = "my knee hurts"
WARM = ToneParams(stability=0.7, similarity=0.6, style="Soft + Emotional", speed=0.95)


class Rows(list):
    """The rows of usage, kept in a list."""

    async def keep(self, call):
        self.append(call)

    @property
    def outcomes(self):
        return [call.outcome for call in self]


@pytest.fixture
def rows():
    return Rows()


@pytest.fixture
def limits(request):
    """Generous ones, unless the test's provider falls silent."""
    act = getattr(request.node, "callspec", None) and request.node.callspec.params.get("act")
    return IMPATIENT if act and (act.hang or act.silent_after is not None) else LIMITS


@pytest.fixture
async def whisper(provider, rows, limits):
    adapter = OpenAIWhisper(api_key="key-1", base_url=provider.url, limits=limits, keep=rows.keep)
    yield adapter
    await adapter.aclose()


@pytest.fixture
async def voice(provider, rows, limits):
    adapter = ElevenLabs(
        api_key="key-2", voice="voice-7", base_url=provider.url, limits=limits, keep=rows.keep
    )
    yield adapter
    await adapter.aclose()


async def say(voice, text=SECRET, *, language="en", tone=WARM):
    """Take all of what is said."""
    speech = await voice.speak(text, language=language, tone=tone)
    return speech.media_type, b"".join([piece async for piece in speech.pieces])


@pytest.mark.spec("L1")
@pytest.mark.parametrize(("container", "name"), [(WEBM, "recording.webm"), (MP4, "recording.mp4")])
async def test_a_recording_goes_out_as_it_came(whisper, provider, rows, container, name):
    """Byte for byte, under its container's name alone, with the language; the words come back."""
    provider.script(Act(text="Jag sov dåligt."))
    sent = Recording(data=RECORDING.data, container=container, samples=np.zeros(9, np.float32))
    assert await whisper.hear(sent, language="sv") == "Jag sov dåligt."
    (asked,) = provider.asked
    assert asked.path == "/v1/audio/transcriptions"
    assert asked.headers["authorization"] == "Bearer key-1"
    assert asked.form == {
        "model": "whisper-1",
        "language": "sv",
        "response_format": "verbose_json",
        "temperature": "0",
    }
    assert asked.file == (name, container.media_type, RECORDING.data)
    (row,) = rows
    assert (row.provider, row.model, row.purpose, row.outcome) == (
        "openai",
        "whisper-1",
        "voice.listen",
        Outcome.OK,
    )


@pytest.mark.spec("L1")
async def test_what_whisper_itself_does_not_believe_is_left_out(whisper, provider):
    """It writes thanks into noise, and says that nobody spoke: that is not what was said."""
    real = {"text": " I slept badly.", "no_speech_prob": 0.1, "avg_logprob": -0.3}
    noise = {"text": " Thank you.", "no_speech_prob": 0.9, "avg_logprob": -1.4}
    provider.script(Act(segments=(real, noise)), Act(segments=(noise,)))
    assert await whisper.hear(RECORDING, language="en") == "I slept badly."
    assert await whisper.hear(RECORDING, language="en") == ""


@pytest.mark.spec("L6", "L7")
async def test_the_tone_goes_out_with_the_sentence(voice, provider, rows):
    """Stability, similarity, style and speed stand in the voice's settings, the language beside them."""
    assert await say(voice, "Jag hör dig.", language="sv") == ("audio/mpeg", b"".join(SOUND))
    (asked,) = provider.asked
    assert asked.path == "/v1/text-to-speech/voice-7/stream"
    assert asked.query == {"output_format": ["mp3_44100_64"]}
    assert asked.headers["xi-api-key"] == "key-2"
    assert asked.json == {
        "text": "Jag hör dig.",
        "model_id": "eleven_flash_v2_5",
        "language_code": "sv",
        "voice_settings": {
            "stability": 0.7,
            "similarity_boost": 0.6,
            "style": 0.25,
            "use_speaker_boost": False,
            "speed": 0.95,
        },
    }
    assert [(row.provider, row.purpose, row.outcome) for row in rows] == [
        ("elevenlabs", "voice.speak", Outcome.OK)
    ]


@pytest.mark.spec("L6")
def test_a_model_that_takes_directions_is_given_them():
    """Its style stands in brackets before the words, its stability on one of three steps, and no language code."""
    request = request_of("Hello.", language="en", tone=WARM, model="eleven_v3")
    assert request["text"] == "[soft] [emotional] Hello."
    assert request["voice_settings"]["stability"] == 0.5
    assert "language_code" not in request
    assert "language_code" not in request_of(
        "Hello.", language="en", tone=WARM, model="eleven_multilingual_v2"
    )


@pytest.mark.spec("L7")
async def test_speech_begins_before_it_is_complete(voice, provider):
    """The first sound is there while the provider still makes the rest."""
    provider.script(Act(silent_after=2))
    speech = await voice.speak(SECRET, language="en", tone=WARM)
    assert await anext(speech.pieces) in SOUND[0] + SOUND[1]
    await speech.pieces.aclose()


TROUBLE = {
    "429": (Act(status=429), VoiceProviderFailed, 2, Outcome.RATE_LIMITED),
    "429, come back late": (Act(status=429, retry_after="60"), VoiceProviderFailed, 1, Outcome.RATE_LIMITED),
    "500": (Act(status=500), VoiceProviderFailed, 2, Outcome.UNAVAILABLE),
    "401": (Act(status=401), VoiceProviderRefused, 1, Outcome.UNAVAILABLE),
    "400": (Act(status=400), VoiceProviderRefused, 1, Outcome.UNAVAILABLE),
    "504": (Act(status=504), VoiceProviderTooSlow, 1, Outcome.TIMEOUT),
    "hangs": (Act(hang=True), VoiceProviderTooSlow, 1, Outcome.TIMEOUT),
    "moved": (Act(status=301), VoiceProviderFailed, 2, Outcome.UNAVAILABLE),
}


@pytest.mark.spec("L1")
@pytest.mark.parametrize(("act", "error", "tries", "outcome"), TROUBLE.values(), ids=TROUBLE)
async def test_a_listener_in_trouble_is_told_apart(whisper, provider, rows, act, error, tries, outcome):
    """What may pass is tried once more, what will not is not, and every try leaves a row with its end."""
    provider.script(*[act] * 3)
    with pytest.raises(VoiceProviderFailed) as caught:
        await whisper.hear(RECORDING, language="en")
    assert type(caught.value) is error
    assert (len(provider.asked), rows.outcomes) == (tries, [outcome] * tries)


@pytest.mark.spec("L7")
@pytest.mark.parametrize("act", [Act(cut_after=2), Act(silent_after=2)], ids=["cut", "silent"])
async def test_speech_that_breaks_off_says_so(voice, provider, act):
    """Half a sentence never passes for a whole one, and is not begun again."""
    provider.script(act)
    speech = await voice.speak(SECRET, language="en", tone=WARM)
    heard = []
    with pytest.raises(SpeechBrokeOff):
        async for piece in speech.pieces:
            heard.append(piece)
    assert b"".join(heard) == b"".join(SOUND[:2])
    assert len(provider.asked) == 1


@pytest.mark.spec("L7")
async def test_speech_that_nobody_takes_gives_its_connection_back(provider, rows):
    """Whoever leaves just as the first sound comes costs nobody else a connection, however often it happens."""
    limits = replace(LIMITS, first_token_s=5)
    voice = ElevenLabs(api_key="k", voice="v", base_url=provider.url, limits=limits, keep=rows.keep)
    for _ in range(120):
        await voice.speak("Hm.", language="en", tone=WARM)
    assert (await say(voice))[1] == b"".join(SOUND)
    await voice.aclose()


@pytest.mark.spec("L7")
async def test_no_sound_at_all_is_a_failure(voice, provider):
    """A connection that breaks before the first sound is tried again, then given up."""
    provider.script(Act(cut_after=0), Act(cut_after=0))
    with pytest.raises(VoiceProviderFailed):
        await say(voice)
    assert len(provider.asked) == 2


@pytest.mark.spec("L1")
@pytest.mark.parametrize(
    "act",
    [Act(garbage=True), Act(body=[1]), Act(body={"txt": "a"}), Act(body={"segments": [{"words": 1}]})],
    ids=["half an answer", "a list", "no text", "strange segments"],
)
async def test_an_answer_of_another_form_is_a_failure(whisper, provider, act):
    """Whatever comes back, nothing but an error of the tree is raised."""
    provider.script(act, act)
    with pytest.raises(VoiceProviderFailed):
        await whisper.hear(RECORDING, language="en")


@pytest.mark.spec("L1")
async def test_a_provider_that_keeps_failing_is_left_alone(provider, rows):
    """After so many failures nothing is sent for a while, so that people wait for nothing; a bad request counts for none."""
    limits = replace(LIMITS, attempts=1, breaker_failures=2, breaker_open_s=600)
    whisper = OpenAIWhisper(api_key="k", base_url=provider.url, limits=limits, keep=rows.keep)
    provider.script(Act(status=400), Act(status=400), Act(status=500), Act(status=500), Act())
    for _ in range(5):
        with pytest.raises(VoiceProviderFailed):
            await whisper.hear(RECORDING, language="en")
    assert len(provider.asked) == 4
    await whisper.aclose()


@pytest.mark.spec("L1", "L7")
async def test_nothing_said_is_logged(whisper, voice, provider, rows, caplog, capsys):
    """Neither words nor sound nor keys stand in a log, an error or a row, even where the provider quotes the request."""
    caplog.set_level(logging.DEBUG)
    provider.script(Act(text=SECRET), Act(), Act(status=400), Act(status=500), Act(status=500))
    await whisper.hear(RECORDING, language="en")
    await say(voice)
    told = []
    for call in (say(voice), whisper.hear(RECORDING, language="en")):
        with pytest.raises(VoiceProviderFailed) as caught:
            await call
        told.append(f"{caught.value!r} {caught.value.__cause__!r} {caught.value}")
    out = "".join([*told, caplog.text, *capsys.readouterr(), repr(rows), repr(RECORDING)])
    for secret in (SECRET, "what was said", "key-1", "key-2"):
        assert secret not in out
