"""How somebody feels by one message, without a model: labelled sentences, a lexicon, signs of the text, and how it sounded."""

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language, hide_foreign
from memory.algorithms.emotions import find_level, probabilities
from memory.life.emotions.lexical import Worded, read_words
from memory.life.emotions.params import EMOTION, EmotionParams
from memory.life.emotions.prototypes import (
    EMOTION_PLACES,
    ENERGY_PLACE,
    INTENSITY_PLACE,
    NEED_PLACES,
    load_emotion_directions,
)
from memory.life.emotions.signs import Signs, read_signs
from memory.life.emotions.sounding import Sounding, measure_liveliness
from memory.life.feelings import (
    EMOTIONS,
    LEVELS,
    SOCIAL_NEEDS,
    UNKNOWN,
    EmotionState,
    Level,
    PrimaryEmotion,
    SocialNeed,
    valence_of,
)

_NEUTRAL = EMOTIONS.index("neutral")
#: words alone: what speaks for neutral, and what each emotion asks of others where nothing else tells
_NEUTRAL_BY_WORDS = 0.06
_NEED_BY_EMOTION: dict[PrimaryEmotion, SocialNeed] = {"loneliness": "wants_connection"}
#: Of a long text so many characters at the beginning and at the end are read: a feeling is told first or last.
_READ_CHARS = 1_000
#: who says no more than that, and no word for a feeling, says nothing of it
_FEW_WORDS = 2


def classify(
    text: str,
    *,
    language: Language,
    vector: NDArray[np.floating] | None,
    embedder: Embedder | None,
    sound: Sounding | None = None,
    params: EmotionParams = EMOTION,
) -> EmotionState:
    """Return how somebody feels by a message; code, addresses and quoted lines are not their words.

    Args:
        vector: (d,) of the message under `embedder`; without one the words alone decide.
    """
    prose = _own_words(text)
    worded, signs = read_words(prose, language=language), read_signs(prose)
    says_something = worded.count > _FEW_WORDS or worded.despairs or worded.scores.any() or signs.faces.any()
    if not says_something:
        return UNKNOWN
    read = _read_vector(vector, embedder)
    spoken = np.minimum(worded.scores + signs.faces, params.most_worded) * params.worded
    if worded.of_others:
        spoken = np.where(np.arange(len(EMOTIONS)) == _NEUTRAL, params.of_others, spoken / 2)
    if read is None:
        spoken[_NEUTRAL] += _NEUTRAL_BY_WORDS
        chances = probabilities(spoken, temperature=params.words_only_temperature)
    else:
        chances = probabilities(read[EMOTION_PLACES] + spoken, temperature=params.temperature)
    emotion = "sadness" if worded.despairs else EMOTIONS[int(chances.argmax())]
    intensity = "high" if worded.despairs else _intensity(emotion, read, worded, signs, params)
    return EmotionState(
        primary_emotion=emotion,
        intensity=intensity,
        energy=_energy(read, worded, signs, sound, params),
        social_need=_need(emotion, read),
        valence=valence_of(emotion, intensity),
        confidence=max(params.of_despair * worded.despairs, float(chances.max())),
    )


def name_energy(worded_energy: float, sound: Sounding | None, *, params: EmotionParams = EMOTION) -> Level:
    """Return the level of energy by the text's own, -1 to 1, and by how it sounded."""
    heard = params.sounded * measure_liveliness(sound) if sound is not None else 0.0
    low, high = params.energy
    return LEVELS[find_level(worded_energy + heard, low=low, high=high)]


def _own_words(text: str) -> str:
    parts = [text] if len(text) <= 2 * _READ_CHARS else [text[:_READ_CHARS], text[-_READ_CHARS:]]
    return "\n".join(map(hide_foreign, parts))


def _read_vector(
    vector: NDArray[np.floating] | None, embedder: Embedder | None
) -> NDArray[np.float64] | None:
    if vector is None or embedder is None:
        return None
    return load_emotion_directions(embedder.embed, model=embedder.model).read(vector)


def _intensity(
    emotion: PrimaryEmotion,
    read: NDArray[np.float64] | None,
    worded: Worded,
    signs: Signs,
    params: EmotionParams,
) -> Level:
    """Return how much of the feeling there is; of none there is little."""
    if emotion == "neutral":
        return "low"
    force = float(read[INTENSITY_PLACE]) if read is not None else 0.0
    force += params.strengthened * worded.strengthened - params.weakened * worded.weakened
    low, high = params.intensity
    return LEVELS[find_level(force + params.exclaimed * signs.exclaimed, low=low, high=high)]


def _energy(
    read: NDArray[np.float64] | None,
    worded: Worded,
    signs: Signs,
    sound: Sounding | None,
    params: EmotionParams,
) -> Level:
    energy = float(read[ENERGY_PLACE]) if read is not None else 0.0
    energy += params.lively * bool(worded.lively) - params.tired * bool(worded.tired)
    return name_energy(energy + params.exclaimed * signs.exclaimed, sound, params=params)


def _need(emotion: PrimaryEmotion, read: NDArray[np.float64] | None) -> SocialNeed:
    if read is None:
        return _NEED_BY_EMOTION.get(emotion, "unknown")
    return SOCIAL_NEEDS[int(read[NEED_PLACES].argmax())]
