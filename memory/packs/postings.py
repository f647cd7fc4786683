"""The lexical index of a pack, computed once: a list of nodes and BM25 weights for each word. Pure numpy.

A pack never changes, so what BM25 makes of a word in a node is a constant; a search adds up the lists of its words. The
scores equal those of `memory.algorithms.lexical`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.lexical import K1, B

Positions = NDArray[np.int32]
Weights = NDArray[np.float32]
#: a word, the positions that hold it, and what it weighs at each
WordList = tuple[str, Positions, Weights]


@dataclass
class PostingsMaker:
    """Takes the tokens of each node, and gives each word's list."""

    _terms: dict[str, int] = field(default_factory=dict)
    _term: list[NDArray[np.int32]] = field(default_factory=list)
    _count: list[NDArray[np.int32]] = field(default_factory=list)
    _position: list[int] = field(default_factory=list)
    _length: list[int] = field(default_factory=list)

    def add(self, position: int, tokens: Sequence[str]) -> None:
        """Take in the tokens of the node at `position`; each position once."""
        counted = Counter(tokens)
        ids = (self._terms.setdefault(term, len(self._terms)) for term in counted)
        self._term.append(np.fromiter(ids, np.int32, len(counted)))
        self._count.append(np.fromiter(counted.values(), np.int32, len(counted)))
        self._position.append(position)
        self._length.append(len(tokens))

    def lists(self) -> Iterator[WordList]:
        """Yield each word with the positions that hold it, rising, and its weight at each."""
        if not self._terms:
            return
        sizes = [len(part) for part in self._term]
        terms, counts = np.concatenate(self._term), np.concatenate(self._count).astype(np.float64)
        positions = np.repeat(np.asarray(self._position, np.int32), sizes)
        lengths = np.repeat(np.asarray(self._length, np.float64), sizes)
        frequency = np.bincount(terms, minlength=len(self._terms))
        nodes = len(self._length)
        idf = np.log1p((nodes - frequency + 0.5) / (frequency + 0.5))
        penalty = K1 * (1 - B + B * lengths / float(np.mean(self._length)))
        weights = (idf[terms] * (K1 + 1) * counts / (counts + penalty)).astype(np.float32)
        order = np.lexsort((positions, terms))
        ends = np.cumsum(frequency)
        for term, end, size in zip(self._terms, ends, frequency, strict=True):
            part = order[end - size : end]
            yield term, positions[part], weights[part]


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
