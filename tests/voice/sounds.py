"""Recordings made from numbers: tones that stand for words, silence, noise, and the containers that browsers send."""

import importlib.util
import io
import wave
from functools import partial

import numpy as np
import pytest

from companion_site.voice.errors import RecordingRefused
from tests import refusals

RATE = 16_000
has_listening = pytest.mark.skipif(
    importlib.util.find_spec("faster_whisper") is None,
    reason="the packages of requirements-voice.txt are not installed (make voice)",
)


#: Expects that a recording is refused for a reason.
refused = partial(refusals.refused, RecordingRefused)


def tone(seconds: float, *, level_db: float = -20.0) -> np.ndarray:
    """A sound of one level."""
    moments = np.arange(round(seconds * RATE)) / RATE
    return (np.sqrt(2) * 10 ** (level_db / 20) * np.sin(2 * np.pi * 220 * moments)).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


def noise(seconds: float, *, level_db: float = -30.0) -> np.ndarray:
    rng = np.random.default_rng(7)
    return (10 ** (level_db / 20) * rng.standard_normal(round(seconds * RATE))).astype(np.float32)


def wav(samples: np.ndarray, *, rate: int = RATE, channels: int = 1) -> bytes:
    """A WAV file of 16 bits."""
    file = io.BytesIO()
    with wave.open(file, "wb") as made:
        made.setnchannels(channels)
        made.setsampwidth(2)
        made.setframerate(rate)
        values = (np.clip(samples, -1, 1) * 32_767).astype("<i2")
        made.writeframes(np.repeat(values, channels).tobytes())
    return file.getvalue()


def encoded(samples: np.ndarray, *, container: str, codec: str, rate: int = 48_000, **options: str) -> bytes:
    """What a browser's recorder makes of it; needs PyAV."""
    import av
    from av.audio.resampler import AudioResampler

    file = io.BytesIO()
    with av.open(file, "w", format=container, options=options) as made:
        stream = made.add_stream(codec, rate=rate, layout="mono")
        frame = av.AudioFrame.from_ndarray(
            (np.clip(samples, -1, 1) * 32_767).astype(np.int16).reshape(1, -1), format="s16", layout="mono"
        )
        frame.sample_rate = RATE
        resampler = AudioResampler(
            format=stream.format, layout="mono", rate=rate, frame_size=stream.frame_size or 960
        )
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            made.mux(stream.encode(part))
        made.mux(stream.encode(None))
    return file.getvalue()
