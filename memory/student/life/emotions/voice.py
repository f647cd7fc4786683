"""How lively somebody sounds: tempo, pauses and loudness of a spoken message, around those of quiet everyday speech.

The middles are those of conversation (two to three words a second, about a third of the time silent); loudness
depends on the microphone and counts little. No recording of a person was used, so these are bounds of good sense and not fitted.
"""

from typing import Protocol

import numpy as np

#: shorter than this nothing can be said of a manner of speaking, s
SHORTEST_S = 1.0
#: (middle, spread, weight) of each
TEMPO, PAUSES, LOUDNESS = (2.4, 1.2, 0.5), (0.3, 0.3, 0.35), (-24.0, 12.0, 0.15)


class Sounding(Protocol):
    """What is known of how a message sounded.

    Attributes:
        duration_s: seconds.
        loudness_db: decibels below full scale, so 0 at the most.
        tempo_wps: words a second, where they were counted.
        pause_share: 0 to 1, the share of the time that is silent.
    """

    @property
    def duration_s(self) -> float: ...
    @property
    def loudness_db(self) -> float: ...
    @property
    def tempo_wps(self) -> float | None: ...
    @property
    def pause_share(self) -> float: ...


def measure_liveliness(sound: Sounding) -> float:
    """Return -1 (slow, halting, soft) to 1 (fast, without pause, loud); 0 where too little was said."""
    if not sound.duration_s >= SHORTEST_S:
        return 0.0
    lively = _deviation(sound.loudness_db, LOUDNESS) - _deviation(sound.pause_share, PAUSES)
    if sound.tempo_wps is not None:
        lively += _deviation(sound.tempo_wps, TEMPO)
    return float(np.clip(lively, -1.0, 1.0))


def _deviation(value: float, around: tuple[float, float, float]) -> float:
    middle, spread, weight = around
    return weight * float(np.clip((value - middle) / spread, -1.0, 1.0)) if np.isfinite(value) else 0.0
