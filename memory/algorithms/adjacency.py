"""How strongly memories hang together: what clustering reads. Pure.

Two nodes hang together by their edges, by coming from one source, and by being alike. The strongest of these counts.
A node that already holds several statements hangs on by one of them only, so what leads to it is divided by their
number: a large memory does not swallow whatever is like some part of it.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from memory.algorithms.graphs import ALONE, Edges, FloatArray, Graph

#: The kind of an edge that is not stored: two memories are alike by their vectors.
ALIKE = "ALIKE"
CONTRADICTS = "CONTRADICTS"


@dataclass(frozen=True, kw_only=True)
class AdjacencyParams:
    """What holds memories together.

    Attributes:
        shares: how much of an edge's weight says that both ends belong together; 1 for kinds not named. What shares
            a name or follows in time need not; what contradicts does not.
        same_source: of two statements of one message, lesson or observation. Just below the density at which a
            cluster merges: being said together is not enough, being a little alike as well is.
        faintest: what lies below is noise (the document's noise floor).
        window: of a source with very many statements only those this near to each other in order are paired.
    """

    shares: Mapping[str, float] = field(
        default_factory=lambda: {
            CONTRADICTS: 0.0,
            "PRECEDES": 0.5,
            "ENABLES": 0.5,
            "REMINDS_OF": 0.5,
        }
    )
    same_source: float = 0.6
    faintest: float = 0.382
    window: int = 16


ADJACENCY = AdjacencyParams()
_BLOCK = 1_024


def build_adjacency(graph: Graph) -> csr_array:
    """Return (n, n) symmetric weights, 0 to 1, of pairs that may become one by their group."""
    low, high, weight = _join(_pairs_by_edges(graph), _pairs_by_sources(graph))
    fit = (
        (weight >= ADJACENCY.faintest) & (graph.group[low] == graph.group[high]) & (graph.group[low] != ALONE)
    )
    return from_pairs(low[fit], high[fit], weight[fit], count=len(graph))


def find_alike(
    vectors: NDArray[np.float32], *, least_cosine: float, nearest: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]:
    """Return (rows, columns, cosines) of the pairs, row before column, that are alike.

    A pair is alike if one is among the `nearest` of the other, and their cosine reaches `least_cosine`. So the number
    of pairs grows with the nodes, also where everything is like everything.

    Args:
        vectors: (n, d); need not be of unit length. One of zeros is like nothing.
    """
    count = len(vectors)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, length, out=np.zeros_like(vectors, dtype=np.float32), where=length > 0)
    found: dict[tuple[int, int], float] = {}
    for start in range(0, count, _BLOCK):
        cosines = unit[start : start + _BLOCK] @ unit.T
        block = np.arange(len(cosines))
        cosines[block, block + start] = -np.inf
        most = min(nearest, count - 1)
        columns = np.argpartition(-cosines, most - 1, axis=1)[:, :most] if most > 0 else np.zeros((0, 0), int)
        for row, near in zip(block.tolist(), columns.tolist(), strict=False):
            for column in near:
                cosine = float(cosines[row, column])
                if cosine >= least_cosine:
                    one, other = sorted((row + start, column))
                    found[one, other] = min(cosine, 1.0)
    pairs = sorted(found)
    array = np.array(pairs, np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1], np.array([found[pair] for pair in pairs], np.float64)


_Pairs = tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]


def _pairs_by_edges(graph: Graph) -> _Pairs:
    edges: Edges = graph.edges
    kinds, of_edge = np.unique(edges.kind, return_inverse=True)
    shares = np.array([ADJACENCY.shares.get(str(kind), 1.0) for kind in kinds], np.float64)
    parts = np.array([max(1, len(texts)) for texts in graph.texts], np.float64)
    weight = edges.weight * shares[of_edge] if len(edges) else edges.weight
    weight = weight / (parts[edges.source] * parts[edges.target])
    return np.minimum(edges.source, edges.target), np.maximum(edges.source, edges.target), weight


def _pairs_by_sources(graph: Graph) -> _Pairs:
    rows_of: dict[int, list[int]] = defaultdict(list)
    for row, sources in enumerate(graph.sources):
        for source in sources:
            rows_of[source].append(row)
    pairs = [
        (row, other)
        for rows in rows_of.values()
        for at, row in enumerate(rows)
        for other in rows[at + 1 : at + 1 + ADJACENCY.window]
    ]
    array = np.array(sorted(set(pairs)), np.int64).reshape(-1, 2)
    shared = [
        len(graph.sources[row] & graph.sources[other]) / (len(graph.sources[row]) * len(graph.sources[other]))
        for row, other in array.tolist()
    ]
    return array[:, 0], array[:, 1], ADJACENCY.same_source * np.array(shared, np.float64)


def _join(first: _Pairs, second: _Pairs) -> _Pairs:
    """Return each pair once, with the heaviest of its weights."""
    low, high, weight = (np.concatenate([one, other]) for one, other in zip(first, second, strict=True))
    order = np.lexsort((-weight, high, low))
    low, high, weight = low[order], high[order], weight[order]
    fresh = np.ones(len(low), dtype=bool)
    fresh[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return low[fresh], high[fresh], weight[fresh]


def from_pairs(
    low: NDArray[np.int64], high: NDArray[np.int64], weight: FloatArray, *, count: int
) -> csr_array:
    """Return the (count, count) symmetric matrix of pairs that are given once each."""
    both = (np.concatenate([low, high]), np.concatenate([high, low]))
    return csr_array((np.concatenate([weight, weight]), both), shape=(count, count))


def as_pairs(adjacency: csr_array) -> _Pairs:
    """Return the pairs of an adjacency, each once, row before column, in order."""
    whole = coo_array(adjacency)
    upper = whole.row < whole.col
    order = np.lexsort((whole.col[upper], whole.row[upper]))
    return (
        whole.row[upper][order].astype(np.int64),
        whole.col[upper][order].astype(np.int64),
        whole.data[upper][order],
    )
