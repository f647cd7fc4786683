"""What a text calls for to be written down at once, beside being remembered: entries of the ledger, facts of somebody's life, acts."""

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
