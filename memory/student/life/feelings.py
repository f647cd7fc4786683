"""How somebody feels, as data: the emotion of one message, and moods over days."""

from dataclasses import dataclass
from typing import Literal, get_args

from memory.algorithms.moods import MeanDay

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
