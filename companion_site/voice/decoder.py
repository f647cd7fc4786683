"""From bytes to samples: what a recording is by its first bytes, and decoding that ends at a bound.

The container is chosen here and handed to FFmpeg, which left to itself would take a playlist for a recording and open the files
and addresses named in it.
"""

import io
import wave
from collections.abc import Iterator
from typing import Any

import numpy as np

from companion_site.voice.errors import RecordingRefused
from companion_site.voice.local import can_decode
from companion_site.voice.types import RATE, Container, Recording, Samples

WEBM = Container("matroska", "webm", "audio/webm")
OGG = Container("ogg", "ogg", "audio/ogg")
MP4 = Container("mp4", "mp4", "audio/mp4")
WAV = Container("wav", "wav", "audio/wav")
MP3 = Container("mp3", "mp3", "audio/mpeg")
CONTAINERS = (WEBM, OGG, MP4, WAV, MP3)


def read_recording(data: bytes, *, most_bytes: int, most_s: float) -> Recording:
    """Return what was recorded, decoded where this machine can. Takes time: call it in a thread.

    Raises:
        RecordingRefused: it is empty, too large, too long or unreadable.
    """
    if not data:
        raise RecordingRefused(why="empty")
    if len(data) > most_bytes:
        raise RecordingRefused(why="too-large")
    container = container_of(data)
    return Recording(data=data, container=container, samples=_decode(data, container, most_s=most_s))


def container_of(data: bytes) -> Container:
    """Return the container that the first bytes are of.

    Raises:
        RecordingRefused: of none that is taken.
    """
    if data.startswith(b"\x1a\x45\xdf\xa3"):
        return WEBM
    if data.startswith(b"OggS"):
        return OGG
    if data[4:8] == b"ftyp":
        return MP4
    if data.startswith(b"RIFF") and data[8:12] == b"WAVE":
        return WAV
    if data.startswith(b"ID3") or (len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0):
        return MP3
    raise RecordingRefused(why="unreadable")


def _decode(data: bytes, container: Container, *, most_s: float) -> Samples | None:
    if can_decode():
        return _decode_any(data, container, most_s=most_s)
    return _decode_wav(data, most_s=most_s) if container == WAV else None


def _decode_any(data: bytes, container: Container, *, most_s: float) -> Samples:
    """Return the samples of a recording that may end anywhere: what came before is kept.

    Source: https://pyav.basswood-io.com/docs/stable/ (open, AudioResampler)
    """
    import av

    pieces: list[Samples] = []
    count = 0
    try:
        with av.open(io.BytesIO(data), format=container.name, metadata_errors="ignore") as opened:
            if not opened.streams.audio:
                raise RecordingRefused(why="unreadable")
            for piece in _resampled(opened):
                pieces.append(piece)
                count += len(piece)
                if count > most_s * RATE:
                    raise RecordingRefused(why="too-long")
    except (av.FFmpegError, ValueError, EOFError):
        # A recording that was cut off ends in a broken packet.
        if not pieces:
            raise RecordingRefused(why="unreadable") from None
    if not pieces:
        raise RecordingRefused(why="unreadable")
    return np.concatenate(pieces)


def _resampled(opened: Any) -> Iterator[Samples]:
    from av.audio.resampler import AudioResampler
    from av.error import InvalidDataError

    # Channels are averaged here: FFmpeg's own mixing makes two equal ones louder than one. And they lie beside one another, because
    # PyAV reads beyond the end of its own list where each of more than seven has a plane of its own, which ends the process.
    resampler = AudioResampler(format="flt", rate=RATE)
    for packet in opened.demux(audio=0):
        try:
            frames = packet.decode()
        except InvalidDataError:
            continue
        for frame in frames:
            frame.pts = None  # recorders leave holes and begin anywhere
            yield from map(_averaged, resampler.resample(frame))
    yield from map(_averaged, resampler.resample(None))


def _averaged(frame: Any) -> Samples:
    values: Samples = frame.to_ndarray().reshape(-1, frame.layout.nb_channels)
    return values.mean(axis=1)


def _decode_wav(data: bytes, *, most_s: float) -> Samples:
    """Return the samples of a plain WAV file, with the standard library alone."""
    try:
        with wave.open(io.BytesIO(data)) as file:
            rate, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
            if width != 2 or not rate or not channels:
                raise RecordingRefused(why="unreadable")
            raw = file.readframes(int(most_s * rate) + 1)
    except (wave.Error, EOFError):
        raise RecordingRefused(why="unreadable") from None
    values = np.frombuffer(raw[: len(raw) // (2 * channels) * 2 * channels], "<i2").reshape(-1, channels)
    if not len(values):
        raise RecordingRefused(why="unreadable")
    if len(values) > most_s * rate:
        raise RecordingRefused(why="too-long")
    mono = values.mean(axis=1) / 32_768
    moments = np.arange(0, len(mono), rate / RATE)
    return np.interp(moments, np.arange(len(mono)), mono).astype(np.float32)
