"""The voice of this site: who listens and who speaks, by the settings, and in which languages."""

import asyncio
import time
from dataclasses import dataclass
from functools import cache

import structlog
from django.conf import settings

from companion_site.language import Language
from companion_site.voice import elevenlabs, local, openai
from companion_site.voice.decoder import read_recording
from companion_site.voice.elevenlabs import ElevenLabs
from companion_site.voice.errors import (
    PartialUnavailable,
    RecordingRefused,
    VoiceError,
    VoiceUnavailable,
)
from companion_site.voice.features import is_silent, measure_sound
from companion_site.voice.local import LocalVoice, LocalWhisper
from companion_site.voice.openai import OpenAIWhisper
from companion_site.voice.types import Recording, Speech, ToneParams, Transcript

logger = structlog.get_logger(__name__)

# Each is made once for what it is told.
_local_listener, _local_speaker = cache(LocalWhisper), cache(LocalVoice)
_openai, _elevenlabs = cache(OpenAIWhisper), cache(ElevenLabs)


#: Who hears words in a recording, and who says a sentence.
SpeechToText = LocalWhisper | OpenAIWhisper
TextToSpeech = LocalVoice | ElevenLabs


@dataclass(frozen=True, kw_only=True)
class Available:
    """Who does it in one language.

    Attributes:
        by: for rows, pages and logs.
        leaves_machine: whether what is said goes elsewhere.
        partial: whether it can be asked again and again while somebody speaks, at nobody's cost.
        experimental: whether it often errs in this language.
    """

    by: str
    leaves_machine: bool
    partial: bool = False
    experimental: bool = False


def get_listener() -> SpeechToText | None:
    """Return who listens; None where nobody does."""
    chosen = settings.VOICE_STT
    if chosen == "openai":
        return _openai(
            api_key=settings.VOICE_OPENAI_API_KEY or settings.OPENAI_API_KEY,
            base_url=settings.VOICE_OPENAI_BASE_URL or openai.DEFAULT_BASE_URL,
            model=settings.VOICE_OPENAI_MODEL or openai.DEFAULT_MODEL,
        )
    return _local_listener() if chosen in ("auto", "local") and local.can_listen() else None


def get_speaker() -> TextToSpeech | None:
    """Return who speaks; None where nobody does."""
    chosen = settings.VOICE_TTS
    if chosen == "elevenlabs":
        return _elevenlabs(
            api_key=settings.ELEVENLABS_API_KEY,
            voice=settings.ELEVENLABS_VOICE,
            model=settings.ELEVENLABS_MODEL or elevenlabs.DEFAULT_MODEL,
            base_url=settings.ELEVENLABS_BASE_URL or elevenlabs.DEFAULT_BASE_URL,
        )
    return _local_speaker() if chosen in ("auto", "local") and local.can_speak() else None


def listening(language: Language) -> Available | None:
    """Return who listens to a language; None for nobody."""
    found = get_listener()
    if found is None or language not in found.languages:
        return None
    experimental = language in found.experimental
    return Available(
        by=found.name,
        leaves_machine=found.leaves_machine,
        partial=found.hears_partly,
        experimental=experimental,
    )


def speaking(language: Language) -> Available | None:
    """Return who speaks a language; None for nobody, and the browser may try."""
    found = get_speaker()
    if found is None or language not in found.languages:
        return None
    return Available(by=found.name, leaves_machine=found.leaves_machine)


def require_listener(language: Language, *, partly: bool = False) -> SpeechToText:
    """Return who listens to a language, to be asked before a recording is even read.

    Raises:
        VoiceUnavailable: nobody does. PartialUnavailable: not while somebody is still speaking.
    """
    listener = get_listener()
    if listener is None or language not in listener.languages:
        raise VoiceUnavailable()
    if partly and not listener.hears_partly:
        raise PartialUnavailable()
    return listener


async def transcribe(data: bytes, *, language: Language, quick: bool = False) -> Transcript:
    """Return what was said and how. The recording is gone when this returns.

    Args:
        quick: of a recording under way: rough, and without words where there are none yet.

    Raises:
        VoiceError: nothing could be made of it, in all the ways that `companion_site.voice.errors` names.
    """
    listener = require_listener(language, partly=quick)
    began = time.monotonic()
    bounds = {"most_bytes": settings.VOICE_MAX_BYTES, "most_s": settings.VOICE_MAX_SECONDS}
    try:
        recording = await asyncio.to_thread(read_recording, data, **bounds)
        text = await _hear(listener, recording, language=language, quick=quick)
    except VoiceError as error:
        logger.info("voice.not_heard", provider=listener.name, code=error.code)
        raise
    samples = recording.samples
    sound = None if samples is None else await asyncio.to_thread(measure_sound, samples, text=text)
    ms = round((time.monotonic() - began) * 1000)
    logger.info("voice.heard", provider=listener.name, partial=quick, ms=ms)
    return Transcript(text=text, language=language, sound=sound)


async def speak(text: str, *, language: Language, tone: ToneParams | None = None) -> Speech:
    """Return one sentence as speech, whose first sound is there.

    Raises:
        VoiceUnavailable: nobody speaks that language. VoiceError: it failed.
    """
    speaker = get_speaker()
    if speaker is None or language not in speaker.languages:
        raise VoiceUnavailable()
    began = time.monotonic()
    try:
        speech = await speaker.speak(text, language=language, tone=tone or ToneParams())
    except VoiceError as error:
        logger.info("voice.not_spoken", provider=speaker.name, code=error.code)
        raise
    ms = round((time.monotonic() - began) * 1000)
    logger.info("voice.spoken", provider=speaker.name, chars=len(text), ms=ms)
    return speech


async def aclose() -> None:
    """Close the running loop's connections to the providers that are set."""
    for adapter in (get_listener(), get_speaker()):
        if adapter is not None:
            await adapter.aclose()


async def _hear(listener: SpeechToText, recording: Recording, *, language: Language, quick: bool) -> str:
    samples = recording.samples
    silent = samples is not None and await asyncio.to_thread(is_silent, samples)
    if silent and not quick:
        raise RecordingRefused(why="silent")
    text = "" if silent else await listener.hear(recording, language=language, quick=quick)
    if not text and not quick:
        raise RecordingRefused(why="no-speech")
    return text
