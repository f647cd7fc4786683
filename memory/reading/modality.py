"""What kind of memory a statement is, how it feels, and how likely it speaks of danger, by the heads on facts and utterances.

How well, on authors left out: docs/algorithms/reading.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from memory.reading.heads import Told
from memory.reading.params import READING
from memory.reading.service import get_heads

Modality = Literal["episodic", "semantic", "procedural", "emotional", "sensory"]

MODALITIES: tuple[Modality, ...] = get_args(Modality)
#: what most statements are
USUAL: Modality = "semantic"
GLAD, SAD = ("joy", "calm"), ("sadness", "anxiety", "loneliness")


@dataclass(frozen=True, slots=True)
class Character:
    """What a statement is like.

    Attributes:
        is_sure: whether its modality may be taken for granted, as what links it to others does.
        valence: -1 (bad for the person) to 1 (good), 0 plain.
        danger: 0..1, how likely it speaks of danger.
    """

    modality: Modality
    is_sure: bool
    valence: float
    danger: float


def read_characters(
    texts: Sequence[str], vectors: NDArray[np.floating], *, embedder: Embedder
) -> list[Character]:
    """Return what each text is like.

    Args:
        vectors: (n, d) of the texts, by `embedder`.
    """
    if not texts:
        return []
    heads = get_heads(embedder)
    kinds = heads.read_texts("fact", texts, vectors)["modality"]
    told = heads.read_texts("utterance", texts, vectors)
    return [_read(kinds, told["emotion"], told["danger"], row) for row in range(len(texts))]


def _read(kinds: Told, feelings: Told, dangers: Told, row: int) -> Character:
    chance, modality = max((kinds.of(name, row), name) for name in MODALITIES if name != USUAL)
    if chance < READING.of_its_kind:
        modality = USUAL
    glad, sad = (sum(feelings.of(name, row) for name in names) for names in (GLAD, SAD))
    felt = max(feelings.of(name, row) for name in (*GLAD, *SAD))
    sure = {"emotional": felt >= READING.surely_felt, "episodic": chance >= READING.event}
    return Character(
        modality=modality,
        is_sure=sure.get(modality, True),
        valence=glad - sad if abs(glad - sad) >= READING.feeling else 0.0,
        danger=dangers.of("danger", row),
    )
