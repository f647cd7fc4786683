"""The labelled sentences of both languages as directions under an embedding model."""

import numpy as np

from memory.algorithms.emotions import Directions, fit_directions, weigh_alike
from memory.kept_vectors import Embed, embed_own, once_for_each_model
from memory.life.emotions.params import EMOTION
from memory.life.emotions.sentences_en import SENTENCES as ENGLISH
from memory.life.emotions.sentences_sv import SENTENCES as SWEDISH
from memory.life.feelings import EMOTIONS, SOCIAL_NEEDS

_LEVEL = {"l": -1.0, "m": 0.0, "h": 1.0}
_NEED = {"c": "wants_connection", "s": "wants_space", "g": "wants_guidance", "u": "unknown"}
#: where each quantity stands in what `Directions.read` returns
EMOTION_PLACES = slice(0, len(EMOTIONS))
INTENSITY_PLACE, ENERGY_PLACE = len(EMOTIONS), len(EMOTIONS) + 1
NEED_PLACES = slice(len(EMOTIONS) + 2, len(EMOTIONS) + 2 + len(SOCIAL_NEEDS))


@once_for_each_model
def load_emotion_directions(embed: Embed, model: str) -> Directions:
    """Return the directions under an embedding model."""
    rows = [
        (_targets(emotion, marks), sentence)
        for sentences in (ENGLISH, SWEDISH)
        for emotion, marked in sentences.items()
        for marks, sentence in marked
    ]
    vectors = embed_own([sentence for _, sentence in rows], embed=embed, model=model)
    targets = np.array([targets for targets, _ in rows])
    weights = weigh_alike(targets[:, EMOTION_PLACES].argmax(axis=1))
    return fit_directions(vectors, targets, weights, penalty=EMOTION.penalty)


def _targets(emotion: str, marks: str) -> list[float]:
    """Return the quantities that a labelled sentence stands for."""
    return [
        *(float(one == emotion) for one in EMOTIONS),
        _LEVEL[marks[0]],
        _LEVEL[marks[1]],
        *(float(one == _NEED[marks[2]]) for one in SOCIAL_NEEDS),
    ]
