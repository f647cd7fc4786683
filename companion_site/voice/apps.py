"""The app of the voice. What is wrong with its settings is said at start-up, not when somebody speaks."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils.translation import gettext_lazy as _

from companion_site.voice import local


class VoiceConfig(AppConfig):
    name = "companion_site.voice"
    verbose_name = _("Voice")

    def ready(self) -> None:
        register(check_voice)


def check_voice(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each choice that cannot work, and where a recording would be written to disk."""
    has_key = settings.VOICE_OPENAI_API_KEY or settings.OPENAI_API_KEY or settings.VOICE_OPENAI_BASE_URL
    has_voice = settings.ELEVENLABS_API_KEY and settings.ELEVENLABS_VOICE
    faults = (
        (
            settings.VOICE_STT == "local" and not local.can_listen(),
            "VOICE_STT=local needs the packages of requirements-voice.txt: make voice.",
        ),
        (
            settings.VOICE_TTS == "local" and not local.can_speak(),
            "VOICE_TTS=local needs the packages of requirements-voice.txt: make voice.",
        ),
        (settings.VOICE_STT == "openai" and not has_key, "VOICE_STT=openai needs VOICE_OPENAI_API_KEY."),
        (
            settings.VOICE_TTS == "elevenlabs" and not has_voice,
            "VOICE_TTS=elevenlabs needs ELEVENLABS_API_KEY and ELEVENLABS_VOICE.",
        ),
        (
            settings.FILE_UPLOAD_MAX_MEMORY_SIZE < settings.VOICE_MAX_BYTES,
            "FILE_UPLOAD_MAX_MEMORY_SIZE is below VOICE_MAX_BYTES: recordings would be written to disk.",
        ),
    )
    return [
        Error(text, id=f"voice.E00{number}")
        for number, (is_wrong, text) in enumerate(faults, start=1)
        if is_wrong
    ]
