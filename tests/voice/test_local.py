"""Listening and speaking on this machine, with the real models; skipped with a reason where they are not installed."""

import asyncio
import io
import os
import wave
from functools import cache

import pytest

from companion_site.voice import local as models
from companion_site.voice import service
from companion_site.voice.decoder import read_recording
from companion_site.voice.errors import VoiceUnavailable
from companion_site.voice.types import ToneParams
from tests.processes import run_python
from tests.voice.sounds import encoded, has_listening, noise, refused, silence, wav

pytestmark = has_listening
SENTENCE = "I slept badly last night, and my knee hurts."


@pytest.fixture(autouse=True)
def local(settings):
    settings.VOICE_STT = settings.VOICE_TTS = "auto"


async def speak(text=SENTENCE, **tone):
    """Return what this machine says, as the browser gets it."""
    speech = await service.speak(text, language="en", tone=ToneParams(**tone))
    assert speech.media_type == "audio/wav"
    return b"".join([piece async for piece in speech.pieces])


def seconds(sound):
    with wave.open(io.BytesIO(sound)) as file:
        return file.getnframes() / file.getframerate()


@cache
def spoken():
    return asyncio.run(speak())


def samples_of(sound):
    return read_recording(sound, most_bytes=8_000_000, most_s=120.0).samples


def words(text):
    return "".join(char for char in text.lower() if char.isalpha() or char == " ").split()


@pytest.mark.spec("L1", "L2", "L7")
async def test_what_it_says_it_hears_again():
    """A sentence goes out as sound, through a browser's codec, and comes back as its words with how they sounded."""
    sound = await speak()
    recorded = encoded(samples_of(sound), container="webm", codec="libopus")
    heard = await service.transcribe(recorded, language="en")
    assert words(heard.text) == words(SENTENCE)
    assert heard.language == "en"
    assert heard.sound.duration_s == pytest.approx(seconds(sound), abs=0.2)
    assert -40 < heard.sound.loudness_db < -5
    assert 1.5 < heard.sound.tempo_wps < 5


@pytest.mark.spec("L1")
@pytest.mark.parametrize(
    ("samples", "error"),
    [(silence(110), "silent"), (noise(8), "no-speech"), (noise(8, level_db=-50), "no-speech")],
    ids=["silence", "noise", "a quiet room"],
)
async def test_where_nobody_speaks_nothing_is_made_up(samples, error):
    """Whisper writes thanks into noise; here it is told as what it is."""
    with refused(error):
        await service.transcribe(wav(samples), language="en")


@pytest.mark.spec("L7")
async def test_it_speaks_no_language_it_does_not_know(settings):
    """Swedish is for the browser's own voice."""
    assert service.speaking("sv") is None
    with pytest.raises(VoiceUnavailable):
        await service.speak("Hej.", language="sv")
    assert service.listening("sv").experimental and not service.listening("en").experimental
    assert not service.listening("en").leaves_machine


@pytest.mark.spec("L1")
def test_other_weights_are_not_loaded(monkeypatch):
    """What is loaded is what was chosen, to the last bit."""
    assert len(models.join_weights()) == 145_217_532
    monkeypatch.setattr(models, "PARTS", models.PARTS[::-1])
    with pytest.raises(VoiceUnavailable):
        models.join_weights()


ALONE = '''
import asyncio, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = sys.argv[1]

class Watch:
    """Sees what is set at the moment when the runtime is first looked for."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "onnxruntime":
            assert os.environ.get("ORT_DISABLE_TELEMETRY") == "1"

sys.meta_path.insert(0, Watch)
import django
django.setup()
from companion_site.voice.decoder import read_recording
from companion_site.voice.local import LocalVoice, LocalWhisper
from companion_site.voice.types import ToneParams
from companion_site.voice.errors import VoiceUnavailable

async def main():
    speech = await LocalVoice().speak("Hello there, how are you?", language="en", tone=ToneParams())
    sound = b"".join([piece async for piece in speech.pieces])
    recording = read_recording(sound, most_bytes=8_000_000, most_s=120.0)
    heard = await LocalWhisper().hear(recording, language="en")
    assert "hello" in heard.lower(), heard
    return recording

recording = asyncio.run(main())
child = os.fork()
if not child:
    try:
        asyncio.run(LocalWhisper().hear(recording, language="en"))
    except VoiceUnavailable:
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("spoken and heard")
'''


@pytest.mark.spec("L1", "L7")
def test_nothing_is_told_to_anybody(tmp_path):
    """In a fresh home no file of telemetry, of a download or of a recording appears; and a forked child refuses instead of hanging."""
    home = tmp_path / "home"
    temporary = tmp_path / "temporary"
    home.mkdir()
    temporary.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "HF_", "XDG_"))}
    environment = {**kept, "HOME": str(home), "TMPDIR": str(temporary), "PYTHONWARNINGS": "ignore"}
    done = run_python("-c", ALONE, os.environ["DJANGO_SETTINGS_MODULE"], env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "spoken and heard" in done.stdout
    assert [path for place in (home, temporary) for path in place.rglob("*") if path.is_file()] == []
