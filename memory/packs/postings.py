"""The lexical index of a pack, computed once: a list of nodes and BM25 weights for each word. Pure numpy.

A pack never changes, so what BM25 makes of a word in a node is a constant (`LexicalIndex.lists`); a search adds up the lists
of its words.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int32]
Weights = NDArray[np.float32]


def pack_list(positions: Positions, weights: Weights) -> bytes:
    """Return a word's list as it is kept: n positions (int32), then n weights (float32), little-endian."""
    return positions.astype("<i4").tobytes() + weights.astype("<f4").tobytes()


def unpack_list(raw: bytes) -> tuple[Positions, Weights]:
    """Return what `pack_list` packed: (n,) positions, (n,) weights."""
    half = len(raw) // 2
    return np.frombuffer(raw, "<i4", count=half // 4), np.frombuffer(raw, "<f4", offset=half)


def add_up(lists: Sequence[tuple[Positions, Weights]], nodes: int) -> Weights:
    """Return (nodes,) float32: the score of each node for the words whose lists are given; 0 where none stands in it."""
    scores = np.zeros(nodes, np.float32)
    for positions, weights in lists:
        inside = positions < nodes
        scores[positions[inside]] += weights[inside]
    return scores
