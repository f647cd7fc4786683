"""How somebody feels by one message, without a model: the reader's heads, and how it sounded. Figures: docs/algorithms/reading.md."""

from collections.abc import Mapping
from typing import cast

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import hide_foreign
from companion_site.voice.types import Sound
from memory.reading.heads import Told
from memory.reading.params import READING
from memory.reading.service import get_heads
from memory.student.life.feelings import (
    EMOTIONS,
    LEVELS,
    LOW,
    UNKNOWN,
    EmotionState,
    Level,
    PrimaryEmotion,
    SocialNeed,
)

#: shorter than this nothing can be said of a manner of speaking, s
SHORTEST_S = 1.0
#: (middle, spread, weight) of each
TEMPO, PAUSES, LOUDNESS = (2.4, 1.2, 0.5), (0.3, 0.3, 0.35), (-24.0, 12.0, 0.15)
#: How far the liveliest voice raises the odds of each next level of energy, as a power of e, and the slowest lowers them.
SOUNDED = 4.0
#: Of a long text so many characters at the beginning and at the end are read: a feeling is told first or last.
_READ_CHARS = 1_000


def measure_liveliness(sound: Sound) -> float:
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


def classify(
    text: str,
    *,
    vector: NDArray[np.floating] | None,
    embedder: Embedder | None = None,
    sound: Sound | None = None,
) -> EmotionState:
    """Return how somebody feels by a message; where nothing but code, addresses and quoted lines stands in it nobody knows.

    Args:
        vector: (d,) of the message; without one nothing is known.
        embedder: what the vector is from, the site's where none is given.

    Raises:
        UnusableWeights: the heads were trained on another embedder.
    """
    prose = _own_words(text)
    if vector is None or not prose.strip():
        return UNKNOWN
    told = get_heads(embedder).read_texts("utterance", [prose], vector[None])
    emotion, confidence = _emotion(told)
    intensity = "low" if emotion == "neutral" else cast(Level, told["intensity"].likeliest())
    return EmotionState.of(
        emotion,
        intensity,
        energy=_energy(told, sound),
        social_need=cast(SocialNeed, told["social_need"].likeliest()),
        confidence=confidence,
    )


def _emotion(told: Mapping[str, Told]) -> tuple[PrimaryEmotion, float]:
    """Return the likeliest emotion and its probability; who is surely in danger is neither glad nor calm nor indifferent."""
    in_danger = told["danger"].of("danger") >= READING.danger_sure
    chances = {name: told["emotion"].of(name) for name in (LOW if in_danger else EMOTIONS)}
    likeliest = max(chances, key=chances.__getitem__)
    return likeliest, chances[likeliest] / sum(chances.values())


def _own_words(text: str) -> str:
    parts = [text] if len(text) <= 2 * _READ_CHARS else [text[:_READ_CHARS], text[-_READ_CHARS:]]
    return "\n".join(map(hide_foreign, parts))


def _energy(told: Mapping[str, Told], sound: Sound | None) -> Level:
    """Return the level of energy by the text, and by how it sounded where it was spoken."""
    chances = np.array([told["energy"].of(level) for level in LEVELS])
    heard = SOUNDED * measure_liveliness(sound) if sound is not None else 0.0
    return LEVELS[int((np.log(chances + 1e-9) + heard * np.arange(len(LEVELS))).argmax())]
