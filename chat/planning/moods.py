"""What an emotion asks of a reply: whether somebody is low or bright, as far as it was read surely enough. Pure."""

from memory.reading.params import READING
from memory.student.life.feelings import LOW, EmotionState, MoodTrend

#: Less sure than that a reading decides nothing.
SURE = READING.feeling
BRIGHT = frozenset({"joy", "calm"})


def is_low(emotion: EmotionState) -> bool:
    """Tell whether somebody is sad, lonely or anxious, and more than a little."""
    return emotion.primary_emotion in LOW and emotion.intensity != "low" and emotion.confidence >= SURE


def is_bright(emotion: EmotionState) -> bool:
    """Tell whether somebody is glad or calm."""
    return emotion.primary_emotion in BRIGHT and emotion.confidence >= SURE


def needs_support(emotion: EmotionState, trend: MoodTrend) -> bool:
    """Tell whether what lifts matters more now than what informs: low now, or lower day by day and not bright."""
    return is_low(emotion) or (trend.is_declining and not is_bright(emotion))
