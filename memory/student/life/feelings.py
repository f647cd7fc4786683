"""How somebody feels: the emotion of one message, read without a model by the reader's heads and by how it sounded, and moods over days.

Figures: docs/algorithms/reading.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import hide_foreign
from companion_site.voice.types import Sound
from memory.algorithms.moods import MeanDay
from memory.reading.heads import Told
from memory.reading.params import READING
from memory.reading.service import get_heads

PrimaryEmotion = Literal["sadness", "joy", "anxiety", "loneliness", "calm", "neutral"]
Level = Literal["low", "medium", "high"]
SocialNeed = Literal["wants_connection", "wants_space", "wants_guidance", "unknown"]

EMOTIONS: tuple[PrimaryEmotion, ...] = get_args(PrimaryEmotion)
#: those that are hard to bear
LOW: tuple[PrimaryEmotion, ...] = ("sadness", "anxiety", "loneliness")
LEVELS: tuple[Level, ...] = get_args(Level)
SOCIAL_NEEDS: tuple[SocialNeed, ...] = get_args(SocialNeed)

#: how each emotion feels, -1 to 1, by how much of it there is: low, medium, high
VALENCES: dict[PrimaryEmotion, tuple[float, float, float]] = {
    "joy": (0.4, 0.65, 0.9),
    "calm": (0.3, 0.4, 0.5),
    "neutral": (0.0, 0.0, 0.0),
    "anxiety": (-0.35, -0.55, -0.8),
    "loneliness": (-0.35, -0.55, -0.8),
    "sadness": (-0.4, -0.6, -0.9),
}

#: consecutive days, each lower than the one before, by which a decline is noticed
DECLINE_DAYS = 3
#: shorter than this nothing can be said of a manner of speaking, s
SHORTEST_S = 1.0
#: what makes a voice lively, each as (middle, spread, weight)
TEMPO, PAUSES, LOUDNESS = (2.4, 1.2, 0.5), (0.3, 0.3, 0.35), (-24.0, 12.0, 0.15)
#: How far the liveliest voice raises the odds of each next level of energy, as a power of e, and the slowest lowers them.
SOUNDED = 4.0
#: Of a long text so many characters at the beginning and at the end are read: a feeling is told first or last.
_READ_CHARS = 1_000


@dataclass(frozen=True, kw_only=True)
class EmotionState:
    """How somebody feels, as far as one message tells.

    Attributes:
        valence: -1 (bad) to 1 (good).
        confidence: 0 to 1, how sure the reading is.
    """

    primary_emotion: PrimaryEmotion
    intensity: Level
    energy: Level
    social_need: SocialNeed
    valence: float
    confidence: float

    @classmethod
    def of(
        cls,
        emotion: PrimaryEmotion,
        intensity: Level,
        *,
        energy: Level = "medium",
        social_need: SocialNeed = "unknown",
        confidence: float,
    ) -> "EmotionState":
        """Return an emotion with how it feels, by how much of it there is."""
        return cls(
            primary_emotion=emotion,
            intensity=intensity,
            energy=energy,
            social_need=social_need,
            valence=VALENCES[emotion][LEVELS.index(intensity)],
            confidence=confidence,
        )


#: nothing is known of how somebody feels
UNKNOWN = EmotionState.of("neutral", "low", confidence=0.0)


@dataclass(frozen=True, kw_only=True)
class MoodTrend:
    """The last days that have a mood, the oldest first, and whether they go down.

    Attributes:
        declining_days: how many of the last days were each lower than the day with a mood before it.
    """

    days: tuple[MeanDay, ...] = ()
    declining_days: int = 0

    @property
    def is_declining(self) -> bool:
        return self.declining_days >= DECLINE_DAYS


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
