"""How somebody spoke, measured from the samples: length, loudness, pauses and, with the words, tempo."""

import numpy as np
from numpy.typing import NDArray

from companion_site.voice.types import RATE, Samples, Sound

FRAME = RATE // 50
#: Below this level nobody speaks: a quiet voice before a phone's microphone is at about -45 dB.
SILENCE_DB = -60.0
#: What is this much under the loudest of a recording is not speech but the room it was spoken in.
UNDER_SPEECH_DB = 28.0
#: The loudest fifth of a second tells whether there was anything to hear; one click does not.
LOUDEST_FRAMES = 10
#: Shorter gaps are those between sounds of one word.
PAUSE_S = 0.2
_FLOOR_DB = -120.0


def is_silent(samples: Samples) -> bool:
    """Tell whether nothing at all is to be heard."""
    _db, spoken = _levels(samples)
    return not bool(spoken.any())


def measure_sound(samples: Samples, *, text: str = "") -> Sound:
    """Return how a recording sounds.

    Args:
        samples: (n,) float32 at 16 kHz.
        text: the words heard in it, for the tempo.
    """
    db, spoken = _levels(samples)
    duration_s = len(samples) / RATE
    places = np.flatnonzero(spoken)
    if not len(places):
        return Sound(duration_s=round(duration_s, 2), loudness_db=_FLOOR_DB, tempo_wps=None, pause_share=0.0)
    span = spoken[places[0] : places[-1] + 1]
    span_s = len(span) * FRAME / RATE
    words = len(text.split())
    return Sound(
        duration_s=round(duration_s, 2),
        loudness_db=round(float(10 * np.log10((10 ** (db[places] / 10)).mean())), 1),
        tempo_wps=round(words / span_s, 2) if words else None,
        pause_share=round(_paused(span) / len(span), 2),
    )


def _levels(samples: Samples) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the level of each 20 ms in dB of full scale, and which of them hold speech."""
    whole = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    power = (whole**2).mean(axis=1)
    db = 10 * np.log10(np.maximum(power, 10 ** (_FLOOR_DB / 10)))
    loudest = np.sort(db)[-LOUDEST_FRAMES:].mean() if len(db) else _FLOOR_DB
    threshold = max(SILENCE_DB, loudest - UNDER_SPEECH_DB)
    return db, (db >= threshold) & (loudest >= SILENCE_DB)


def _paused(span: NDArray[np.bool_]) -> int:
    """Return how many frames lie in pauses; a span begins and ends with speech."""
    edges = np.flatnonzero(np.diff(span.astype(np.int8)))
    lengths = edges[1::2] - edges[::2]
    return int(lengths[lengths * FRAME >= PAUSE_S * RATE].sum())
