"""What a message shows besides its words: exclamation marks, capitals, little faces."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.life.feelings import EMOTIONS, PrimaryEmotion

#: what one face counts, beside a word for a feeling (1)
FACE = 1.0
_FACES: dict[PrimaryEmotion, re.Pattern[str]] = {
    "joy": re.compile(r"[:;=]-?[)D](?!\w)|<3|[😀😃😄😁😆😊🙂😍🥰🥳🎉🤩❤💪🙌]"),
    "sadness": re.compile(r"[:;=]'?-?\((?!\w)|[😢😭😞😔🙁☹💔😥]"),
    "anxiety": re.compile(r"[😰😨😱😟😧😖]"),
    "calm": re.compile(r"[😌🧘☕]"),
}
_SHOUTED = re.compile(r"\b[A-ZÅÄÖ]{4,}\b")
#: more exclamation marks than that say no more
MOST_MARKS = 2


@dataclass(frozen=True, kw_only=True)
class Signs:
    """What a text shows.

    Attributes:
        faces: (6,) for each of `EMOTIONS`.
        exclaimed: exclamation marks and shouted words, at most `MOST_MARKS`.
    """

    faces: NDArray[np.float64]
    exclaimed: int


def read_signs(text: str) -> Signs:
    """Return what a text shows besides its words."""
    faces = np.zeros(len(EMOTIONS))
    for emotion, pattern in _FACES.items():
        faces[EMOTIONS.index(emotion)] = FACE * min(2, len(pattern.findall(text)))
    exclaimed = text.count("!") + len(_SHOUTED.findall(text))
    return Signs(faces=faces, exclaimed=min(MOST_MARKS, exclaimed))
