"""Speaking on this machine: the one English voice inside `hibari-tts`. Its other voices would be downloaded, so they are not used.

Of a tone it can follow the pace.
"""

import io
import os
import wave
from collections.abc import AsyncGenerator
from functools import cache, partial
from threading import Lock
from typing import Any

import numpy as np
import structlog

from companion_site.language import Language
from companion_site.voice.errors import VoiceUnavailable
from companion_site.voice.local import OneAtATime, quieten
from companion_site.voice.types import Samples, Speech, ToneParams

logger = structlog.get_logger(__name__)

#: A sentence takes a tenth of a second, so many may wait.
MOST_WAITING = 20
SLOWEST, FASTEST = 0.7, 1.3
#: The voice's breath is noise; the same sentence sounds the same again.
SEED = 1


class LocalVoice:
    """Says English sentences as WAV."""

    name = "local"
    languages: frozenset[Language] = frozenset({"en"})
    leaves_machine = False

    def __init__(self) -> None:
        self._queue = OneAtATime("speaking", most=MOST_WAITING)

    async def speak(self, text: str, *, language: Language, tone: ToneParams) -> Speech:
        if language not in self.languages:
            raise VoiceUnavailable()
        speed = min(max(tone.speed, SLOWEST), FASTEST)
        sound = await self._queue.run(partial(_say, text, speed=speed))
        return Speech(media_type="audio/wav", pieces=_once(sound))

    async def aclose(self) -> None:
        """Nothing is open."""


def write_wav(samples: Samples, *, rate: int) -> bytes:
    """Return samples as a WAV file of 16 bits, one channel."""
    file = io.BytesIO()
    with wave.open(file, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(rate)
        made.writeframes((np.clip(samples, -1, 1) * 32_767).astype("<i2").tobytes())
    return file.getvalue()


def _say(text: str, *, speed: float) -> bytes:
    """Return a sentence as WAV.

    Raises:
        VoiceUnavailable: the package stumbled over it, as over a number of forty digits; the browser's own voice may say it.
    """
    voice = _voice()
    try:
        samples = voice(text, speed=speed, seed=SEED)
    except Exception as error:  # noqa: BLE001  its rules for words are its own, and name no errors
        logger.warning("voice.stumbled", kind=type(error).__name__)
        raise VoiceUnavailable() from None
    return write_wav(samples, rate=voice.sample_rate)


async def _once(sound: bytes) -> AsyncGenerator[bytes, None]:
    yield sound


def _voice() -> Any:
    with _LOADING:
        return _load()


@cache
def _load() -> Any:
    quieten()
    from hibari import Hibari

    return Hibari(threads=1)


_LOADING = Lock()
os.register_at_fork(after_in_child=lambda: globals().__setitem__("_LOADING", Lock()))
