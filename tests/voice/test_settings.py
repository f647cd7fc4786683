"""Who listens and who speaks, by the settings; without the extra, nobody."""

import sys

import pytest

from companion_site.language import LANGUAGES
from companion_site.voice import local, service
from companion_site.voice.apps import check_voice
from companion_site.voice.errors import VoiceUnavailable
from tests.voice.sounds import tone, wav

pytestmark = pytest.mark.spec("L1", "L7")


@pytest.fixture
def no_extra(monkeypatch):
    """A machine on which the packages are not installed, as Python sees it."""
    for name in {*local.LISTENING, *local.SPEAKING}:
        monkeypatch.setitem(sys.modules, name, None)


async def test_without_the_extra_there_is_no_voice(no_extra, settings):
    """By default, and the site says so instead of failing."""
    settings.VOICE_STT = settings.VOICE_TTS = "auto"
    for language in LANGUAGES:
        assert service.listening(language) is None
        assert service.speaking(language) is None
    with pytest.raises(VoiceUnavailable):
        await service.transcribe(wav(tone(1)), language="en")
    with pytest.raises(VoiceUnavailable):
        await service.speak("Hello.", language="en")
    assert check_voice(None) == []


def test_a_choice_that_cannot_work_is_said_at_the_start(no_extra, settings):
    """Each with what to do."""
    settings.VOICE_STT = settings.VOICE_TTS = "local"
    assert [error.id for error in check_voice(None)] == ["voice.E001", "voice.E002"]
    settings.VOICE_STT, settings.VOICE_TTS = "openai", "elevenlabs"
    settings.OPENAI_API_KEY = settings.VOICE_OPENAI_API_KEY = settings.VOICE_OPENAI_BASE_URL = ""
    settings.ELEVENLABS_API_KEY = "key"
    settings.ELEVENLABS_VOICE = ""
    assert [error.id for error in check_voice(None)] == ["voice.E003", "voice.E004"]
    settings.OPENAI_API_KEY, settings.ELEVENLABS_VOICE = "key", "voice"
    assert check_voice(None) == []


def test_recordings_that_would_be_written_to_disk_are_an_error(settings):
    """Django keeps in memory what is no larger than its bound, which must not be the smaller one."""
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = settings.VOICE_MAX_BYTES - 1
    assert [error.id for error in check_voice(None)] == ["voice.E005"]


def test_another_address_leaves_the_machine(settings):
    """A server of one's own does not; the public ones do, and the page can say so."""
    settings.VOICE_STT, settings.VOICE_TTS = "openai", "elevenlabs"
    settings.VOICE_OPENAI_API_KEY = settings.ELEVENLABS_API_KEY = "key"
    settings.VOICE_OPENAI_BASE_URL = settings.ELEVENLABS_BASE_URL = ""
    assert service.listening("sv").leaves_machine and service.speaking("sv").leaves_machine
    settings.VOICE_OPENAI_BASE_URL = "http://127.0.0.1:8000/v1"
    assert not service.listening("sv").leaves_machine
