"""What a text calls for to be written down at once, beside being remembered: entries of the ledger, facts of somebody's life, acts, how it goes with a goal."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from memory.reading.params import READING
from memory.reading.service import get_heads


def read_notes(
    texts: Sequence[str],
    vectors: NDArray[np.floating],
    kinds: Collection[str],
    *,
    embedder: Embedder,
) -> list[dict[str, float]]:
    """Return for each text the notes of these kinds (`machines.NOTES`) that it calls for, with how likely it does.

    Args:
        vectors: (n, d) of the texts, by `embedder`.
    """
    if not texts:
        return []
    told = get_heads(embedder).read_texts("note", texts, vectors)
    return [
        {kind: chance for kind in kinds if (chance := told[kind].of(kind, row)) >= READING.notes[kind]}
        for row in range(len(texts))
    ]


def find_progress(
    sentence: str,
    goals: Sequence[str],
    *,
    vector: NDArray[np.floating],
    vectors: NDArray[np.floating],
    embedder: Embedder,
) -> tuple[int, str] | None:
    """Return the place of the goal that a sentence tells how it goes with, and what became of it: "note", "done" or "dropped"; None for none.

    Args:
        vector: (d,) of the sentence, by `embedder`; vectors: (n, d) of the goals.
    """
    told = get_heads(embedder).read_progress(sentence, goals, vector, vectors)
    chances = 1 - told.probabilities[:, 0]
    goal = int(chances.argmax())
    if chances[goal] < READING.progress:
        return None
    closed = max(told.classes[2:], key=lambda change: told.of(change, goal))
    return goal, closed if told.of(closed, goal) >= READING.closes_goal else told.classes[1]
