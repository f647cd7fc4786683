"""The numbers by which a feeling is told; chosen on the even rows of tests/data/emotions.json (docs/algorithms/emotions.md)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class EmotionParams:
    """What counts how much.

    Attributes:
        penalty: of the directions fitted to the labelled sentences.
        worded: what one plain word for a feeling adds to that feeling, and `most_worded` of them at the most.
        temperature: of the probabilities; with it their mean is the share that is right.
        of_others: what is added to neutral for what is told of a book, a film or a lesson.
        words_only_temperature: the same where there is no vector.
        intensity, energy: (low, high) bounds of the middle level.
        strengthened, weakened, exclaimed: what such words and each exclamation mark add to intensity (or take).
        lively, tired: likewise of energy, which exclamation marks raise too.
        sounded: what the liveliest voice adds to energy, and the slowest takes.
        of_despair: how sure it is that somebody who says they do not want to live is sad.
        of_model: how sure the reading of a model is.
    """

    penalty: float = 4.0
    worded: float = 0.12
    most_worded: float = 2.0
    of_others: float = 0.15
    temperature: float = 0.08
    words_only_temperature: float = 0.15
    intensity: tuple[float, float] = (-0.5, 0.3)
    strengthened: float = 0.15
    weakened: float = 0.5
    exclaimed: float = 0.2
    energy: tuple[float, float] = (-0.3, 0.3)
    lively: float = 0.4
    tired: float = 0.4
    sounded: float = 0.6
    of_despair: float = 0.95
    of_model: float = 0.9


EMOTION = EmotionParams()
